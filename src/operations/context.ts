// What every operation is given: the outside world as values. Built once in app.ts.

import type { PushPreview } from '../contract/dry-run.ts'
import type { Activity, ActivityPushEvent } from '../domain/activities/activity.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { Notification, NotificationDraft } from '../domain/notifications/notification.ts'
import type { AppleVerifier } from '../runtime/apple-sign-in.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Config } from '../runtime/settings.ts'
import type { Slices } from '../runtime/slices.ts'
import type { Database } from '../store/engine/database.ts'
import type { Job } from '../store/jobs.ts'
import type { OpenStreams } from './events/open-streams.ts'
import type { LastUsed } from './last-used.ts'

export type Context = {
  config: Config
  clock: Clock
  log: Log
  db: Database
  lastUsed: LastUsed
  openStreams: OpenStreams
  // For work that may take longer than a few milliseconds: every slice of it waits here for its turn.
  slices: Slices
  // Signs the tickets with which a device answers without a token.
  signingKey: Buffer
  webPushPublicKey: string
  // Aborted when the server begins to stop: held requests answer with what they have.
  stopping: AbortSignal
  // Nothing where nobody may sign in with Apple.
  apple: AppleVerifier | undefined
  // Runs jobs that were enqueued as claimed, while a caller waits. What is open after the patience goes on without it.
  runNow(jobs: Job[], patienceMs: number): Promise<PushOutcome[]>
  push: Push
}

// Delivery lies above operations; what operations need of it comes in through this door, which app.ts opens.
export type Push = {
  // The very payloads that would be sent, with their size on the wire.
  preview(subject: PushSubject): PushPreview[]
  // Whether an encrypted message fits into a push; nothing of it can be shortened.
  fits(draft: NotificationDraft): boolean
}

export type PushSubject =
  | { kind: 'widget-reload'; slug: string }
  | { kind: 'notification'; notification: Notification; collapseId?: string }
  | { kind: 'activity'; activity: Activity; event: ActivityPushEvent }

// What operations get from outside: configuration, clock, database, and what they need of push and jobs, which are layers
// above. Built once, in boot/app.ts.
import type { PushPreview } from '../contract/dry-run.ts'
import type { DeliveryOutcome } from '../domain/accounts/daily-counts.ts'
import type { AppCaller, Caller, UserId } from '../domain/caller.ts'
import type { DeviceId, PushAddress } from '../domain/devices.ts'
import type { MailResult, OutgoingMail } from '../domain/emails/email.ts'
import type { FileContents } from '../domain/files.ts'
import type { Held } from '../domain/holds/hold.ts'
import type { Instant } from '../domain/instant.ts'
import type { JobKind, Prepared } from '../domain/jobs.ts'
import type { PushOutcome } from '../domain/notifications/delivery.ts'
import type { Notification, NotificationDraft } from '../domain/notifications/notification.ts'
import type { PushMessage, PushResult, PushSubject } from '../domain/push.ts'
import type { AppleVerifier } from '../runtime/apple-sign-in.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics/metrics.ts'
import type { PasskeyVerifier } from '../runtime/passkeys/thread.ts'
import type { Pictures } from '../runtime/pictures/pictures.ts'
import type { Config } from '../runtime/settings.ts'
import type { Slices } from '../runtime/slices.ts'
import type { Templates } from '../runtime/templates/thread.ts'
import type { Tracing } from '../runtime/tracing/tracing.ts'
import type { Database } from '../store/engine/database.ts'
import type { Job } from '../store/jobs.ts'
import type { LastUsed } from './last-used.ts'

export type Context = {
  config: Config
  clock: Clock
  log: Log
  metrics: Metrics
  tracing: Tracing
  db: Database
  fileContents: FileContents
  lastUsed: LastUsed
  dailyCounts: DailyCounts
  openStreams: OpenStreams
  appRoom: AppRoom
  // When this service was last alive.
  alive: Alive
  // Runs long work in slices, so that no turn of the event loop takes more than a few milliseconds.
  slices: Slices
  // Renders the templates of hooks.
  templates: Templates
  // Draws widgets and activities.
  pictures: Pictures
  // How many different pictures screen links ask for.
  newVariants: NewVariants
  passkeys: PasskeyVerifier
  // Signs the tickets with which a device answers without a token.
  signingKey: Buffer
  // Opens the addresses of apps of other services.
  sealingKey: Buffer
  webPushPublicKey: string
  // Aborted when the server begins to stop: held requests are answered with what is there.
  stopping: AbortSignal
  // Undefined if sign-in with Apple is not configured.
  apple: AppleVerifier | undefined
  // Runs jobs that were enqueued as claimed while a caller waits, one outcome for each job. A job that takes longer than
  // `patienceMs` has the outcome `open` and goes on without the caller.
  runNow(jobs: ClaimedJob[], patienceMs: number): Promise<PushOutcome[]>
  // A GET at a URL that the caller chose, with the rules of callbacks. Never rejects.
  askServer(request: { url: string; headers: Record<string, string> }): Promise<ServerReply>
  push: PushPreviews
}

export type ServerReply =
  | { kind: 'answered'; status: number; body: Buffer }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string }

export type ClaimedJob<K extends JobKind = JobKind> = { job: Job<K>; prepared?: Prepared[K] }

export type PushPreviews = {
  // The payloads that would be sent, with their size on the wire.
  preview(subject: PushSubject): PushPreview[]
  // Whether an encrypted notification fits into a push; an envelope cannot be shortened.
  fits(draft: NotificationDraft): boolean
}

// The context of operations that a job starts. Only they reach devices, mail servers and callback URLs.
export type JobContext = Context & {
  // Never rejects.
  pushTo(address: PushAddress, message: PushMessage): Promise<PushResult>
  // Never rejects.
  sendMail(mail: OutgoingMail): Promise<MailResult>
  // Never rejects.
  postCallback(request: CallbackRequest): Promise<CallbackReply>
}

// `requireHttps`: if false, plain http is possible for addresses that the operator has allowed.
export type CallbackRequest = { url: string; headers: Record<string, string>; body: string; requireHttps: boolean }
export type CallbackReply = { kind: 'answered'; status: number } | { kind: 'refused' | 'failed'; reason: string }

// State of this process, each kept by the noun it is named after.

// What accounts send, what is refused and what their devices take, counted by day.
export type DailyCounts = {
  noteSent(
    notification: Pick<Notification, 'userId' | 'keyId' | 'source'>,
    outcome: 'sent' | Held['reason'],
    now: Instant,
  ): void
  noteRefused(caller: Caller, code: string, now: Instant): void
  noteDelivery(device: { userId: UserId; deviceId: DeviceId }, outcome: DeliveryOutcome, now: Instant): void
  flush(): Promise<void>
}

// The event streams that this process holds open.
export type OpenStreams = {
  // Throws event_stream.limit_exceeded if the account has the maximum number of streams open.
  open(caller: Caller, deviceId: DeviceId | undefined, beginsAfter: number): Promise<OpenStream>
}

export type OpenStream = {
  // Every event up to this number has been written to the connection.
  noteWritten(event: number): Promise<void>
  close(): Promise<void>
}

// The apps of other services that are connected to this process.
export type AppRoom = {
  // Returns the function by which it leaves.
  enter(app: ConnectedApp): () => void
  // Ends the oldest connection of this device. Returns false if it has none here.
  endOldest(caller: AppCaller): Promise<boolean>
}

export type ConnectedApp = {
  caller: AppCaller
  // The number of the last event that it has.
  readonly position: number
  // There are events after its position.
  wake(): void
  // Its password was revoked, a newer connection takes its place, or the server stops. Resolves when it has ended.
  end(): Promise<void>
}

// Tells a standstill of this service from the silence of others.
export type Alive = {
  // Stamps the row, and first makes good for a standstill if this process was started, or was itself halted (a suspended
  // machine, SIGSTOP).
  stamp(): Promise<void>
  // Whether pings can arrive, so that silence counts. For jobs, which may run before the next stamp: a process that was
  // halted stamps first. One that has never stamped does not listen, and goes by the stamps of others.
  hearsPings(): Promise<boolean>
}

// The different pictures that each screen link has asked this process for.
export type NewVariants = {
  // `variant`: what is shown, and how. Throws rate_limit.exceeded if the link has asked for too many others within an hour.
  take(linkId: string, variant: string): void
}

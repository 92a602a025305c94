// What the parts of the program report for metrics. Without a metrics port, every function does nothing.
import type { JobKind } from '../../domain/jobs.ts'

export type RequestEnd = {
  method: string
  // The pattern, such as /widgets/:slug; undefined for a path that does not exist.
  route: string | undefined
  status: number | 'aborted'
  ms: number
  // An event stream, or a request that asked to wait: its duration says nothing about the server.
  isHeld: boolean
  problem: string | undefined
  // For a screen.
  screenForm: ScreenForm | undefined
}

export const SCREEN_FORMS = ['png', 'svg', 'bmp', 'txt', 'json', 'events', 'iphone', 'trmnl'] as const
export type ScreenForm = (typeof SCREEN_FORMS)[number]

export const JOB_OUTCOMES = ['done', 'again', 'failed', 'given_up'] as const
export type JobOutcome = (typeof JOB_OUTCOMES)[number]
export type PushEnd = {
  channel: 'apns' | 'web_push' | 'bark' | 'bark_server'
  result: string
  reason: string
  ms: number
}
export const PICTURE_RESULTS = ['drawn', 'cached', 'not_modified', 'stale', 'busy', 'failed'] as const
export type PictureResult = (typeof PICTURE_RESULTS)[number]
export const PICTURE_KINDS = ['widget', 'activity', 'sheet'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

export type Held = 'waits' | 'streams'

export type Metrics = {
  // Whether anyone reads them: a caller may then skip work that only prepares a report.
  readonly isOn: boolean
  requestEnded(end: RequestEnd): void
  connectionRefused(limit: 'server' | 'address'): void
  // Counts what this process holds open; `change` is 1 or -1.
  heldChanged(held: Held, change: 1 | -1): void
  jobStarted(kind: JobKind): void
  jobEnded(kind: JobKind, outcome: JobOutcome, ms: number): void
  pushEnded(end: PushEnd): void
  mailEnded(result: string): void
  callbackEnded(result: string): void
  // A message of UnifiedPush; `bytes`: 0 unless it was accepted.
  messagePosted(result: string, bytes: number): void
  // `ms`: from the request to the bytes, of one that was drawn.
  pictureEnded(kind: PictureKind, result: PictureResult, ms?: number): void
  // Because it has failed or exceeded a limit, not because it was idle.
  pictureProcessEnded(): void
  readonly database: DatabaseMetrics
}

// The observer that the database engine takes (store/engine/database.ts).
export type DatabaseMetrics = {
  transactionEnded(ms: number): void
  readEnded(ms: number): void
  groupCommitted(size: number, ms: number): void
}

const nothing = () => {}

export const NO_METRICS: Metrics = {
  isOn: false,
  requestEnded: nothing,
  connectionRefused: nothing,
  heldChanged: nothing,
  jobStarted: nothing,
  jobEnded: nothing,
  pushEnded: nothing,
  mailEnded: nothing,
  callbackEnded: nothing,
  messagePosted: nothing,
  pictureEnded: nothing,
  pictureProcessEnded: nothing,
  database: { transactionEnded: nothing, readEnded: nothing, groupCommitted: nothing },
}

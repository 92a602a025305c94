// What background work is: a function of the delivery context and one job, and its result.
import type { Instant } from '../domain/instant.ts'
import type { Context } from '../operations/context.ts'
import type { ApnsChannel } from '../push/channels/apns/apns.ts'
import type { MailChannel } from '../push/channels/smtp.ts'
import type { WebPushChannel } from '../push/channels/web-push/web-push.ts'
import type { Outbound } from '../push/outbound-http.ts'
import type { Writer } from '../store/engine/database.ts'
import type { Job } from '../store/jobs.ts'
import type { ApnsNodes } from './apns-nodes.ts'

// What jobs are given: the operations' context and the ways out of the house. Without credentials there is no way to
// Apple, and without a mail server none for e-mail.
export type Delivery = {
  ctx: Context
  apns: ApnsChannel | undefined
  apnsNodes: ApnsNodes
  webPush: WebPushChannel
  outbound: Outbound
  mail: MailChannel | undefined
}

// `again`: not done, and not a failure either; run once more at that time, with another payload where only a part of the
// work is left.
export type JobResult = ({ done: true } | { again: Instant; payload?: unknown }) & {
  // Written in the transaction that settles the job, and only if the job is still ours.
  record?: (tx: Writer) => Promise<void>
  // Once that is committed, and only if the job was still ours. Nothing runs it again if we die first, so it may only
  // hasten what rows make happen anyway.
  afterwards?: () => Promise<void>
  // What to tell someone who waits for this very run.
  accepted?: boolean
  // The device does not count toward `delivery`.
  isLeftOut?: boolean
}

// How long a push may take: well within the lease of its job, or it would be sent again and again and never be given up;
// and within the time that a server has which is told to stop.
export const PUSH_DEADLINE_MS = 8000

export type JobType = {
  run: (delivery: Delivery, job: Job) => Promise<JobResult>
  // After attempt n fails: seconds until attempt n + 1. When the list is used up the job is given up and logged.
  retryAfterSeconds: readonly number[]
  // What it locks when it is settled. Jobs of a kind that says so are settled several in one transaction, at most one with
  // the same lock in each.
  lockOf?: (job: Job) => string
  // Whether such a job may push to an Apple device. Nodes without an APNs key leave it to those that have one.
  mayUseApns?: (job: Job) => boolean
  // Written in the transaction that gives the job up, for whoever waits for what will not come.
  givenUp?: (tx: Writer, job: Job, now: Instant) => Promise<void>
}

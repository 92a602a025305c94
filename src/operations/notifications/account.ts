// Stores a message in an account and returns its pushes. There are two kinds of accounts: that of a person, whose inbox the
// message enters, and that of an organization, from which it fans out to the members it is addressed to. Requests, schedules,
// heartbeats and messages of the server itself all store here, and no other place tells the kinds apart.
import type { Sender } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Addressing, ShownOrgSend } from '../../domain/organizations/send.ts'
import { listAddresses } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { ClaimedJob } from '../context.ts'
import { withHolds } from '../holds/hold.ts'
import { enqueueClaimedPushes, enqueueNotificationPushes } from '../push/enqueue.ts'
import { enqueueClaimedEntryPushes, enqueueEntryPushes } from './fan-out/pushes.ts'
import { storeAndFanOut } from './fan-out/store.ts'
import { type Alongside, type Message, type Stored, storeNotification } from './store.ts'

// How long a sender waits for the first attempt of its pushes. Some clients give up after four seconds.
export const PUSH_PATIENCE_MS = 3000

// `orgSend`: of an organization, with the members who have got it in this transaction.
export type StoredMessage = Stored & { pushes: Pushes; orgSend?: ShownOrgSend }

// Written in the transaction of the message, in one of two ways. Neither writes anything if the message is not pushed.
export type Pushes = {
  // For a sender that waits: the jobs are claimed by this process, which runs the first attempt after the commit.
  claim(): Promise<ClaimedJob[]>
  // For a sender that does not wait: the workers claim the jobs.
  enqueue(): Promise<void>
}

const NO_PUSHES: Pushes = { claim: async () => [], enqueue: async () => {} }

// `message.to`: of an organization, whose lock the caller holds.
export function storeMessage(
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside?: Alongside,
): Promise<StoredMessage> {
  const { to } = message
  return to
    ? storeForMembers(tx, sender, { ...message, to }, now, alongside)
    : storeForPerson(tx, sender, message, now, alongside)
}

// The same, for a message that has not been compared with the mutes and quiet hours of the person.
export async function storeWithHolds(
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside?: Alongside,
): Promise<StoredMessage> {
  // Those of members are looked up when their entries are pushed.
  const heard = message.to ? message : await withHolds(tx, sender, message, now)
  return storeMessage(tx, sender, heard, now, alongside)
}

async function storeForPerson(
  tx: Writer,
  sender: Sender,
  message: Message,
  now: Instant,
  alongside?: Alongside,
): Promise<StoredMessage> {
  const stored = await storeNotification(tx, sender, message, now, alongside)
  const { notification, collapseId, receipt } = stored
  if (!notification.pushed) return { ...stored, pushes: NO_PUSHES }
  const { id: notificationId, userId } = notification
  const push = { userId, notificationId, collapseId, repeat: receipt?.repeatsSent }
  const pushes: Pushes = {
    claim: async () => {
      const addresses = message.addresses ?? (await listAddresses(tx, userId))
      return enqueueClaimedPushes(tx, { notification, record: message.door }, push, addresses, now)
    },
    enqueue: () => enqueueNotificationPushes(tx, push, now),
  }
  return { ...stored, pushes }
}

async function storeForMembers(
  tx: Writer,
  sender: Sender,
  message: Message & { to: Addressing },
  now: Instant,
  alongside?: Alongside,
): Promise<StoredMessage> {
  const { stored, send, entries } = await storeAndFanOut(tx, sender, message, now, alongside)
  const { notification, collapseId, receipt } = stored
  const orgSend = { ...send, stored: entries.length, isDone: entries.length === send.members }
  if (!notification.pushed) return { ...stored, orgSend, pushes: NO_PUSHES }
  const push = { collapseId, repeat: receipt?.repeatsSent }
  const pushes: Pushes = {
    claim: () => enqueueClaimedEntryPushes(tx, send, entries, push, now),
    enqueue: () => enqueueEntryPushes(tx, send, entries, push, now),
  }
  return { ...stored, orgSend, pushes }
}

// Messages of another server, as read entries of the inbox with the time at which they were sent.
import { Problem } from '../../contract/problems.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import type { GotifyApplication } from '../../domain/doors/gotify/message.ts'
import type { ForeignMessage, ForeignServer } from '../../domain/imports/foreign.ts'
import { DAY_SECONDS, plusSeconds } from '../../domain/instant.ts'
import type { Writer } from '../../store/engine/database.ts'
import { adjustInbox } from '../../store/events/feeds.ts'
import { claimImport, listImported } from '../../store/imports/imported-items.ts'
import { numberKey } from '../../store/keys.ts'
import { insertNotification } from '../../store/notifications/insert.ts'
import type { Context } from '../context.ts'
import { composeMessage } from '../notifications/store.ts'
import type { Account, AccountOf, Importing } from './importing.ts'

// A transaction holds the lock of SQLite, so it is short.
const AT_ONCE = 100
const MESSAGES = 'messages'

type Placed = { account: Account; message: ForeignMessage }

export async function bringMessages(importing: Importing, accountOf: AccountOf): Promise<void> {
  const { ctx, server, report } = importing
  const now = ctx.clock.now()
  const { readRetentionDays: days } = ctx.config
  const oldest = plusSeconds(now, -days * DAY_SECONDS)
  let batch: Placed[] = []
  for (const message of server.messages()) {
    const account = accountOf(message.userId)
    if (!account) report.lose(MESSAGES, whyWithoutAccount(server, message))
    else if (message.at < oldest)
      report.lose(MESSAGES, `they are older than ${days} days (HELIOGRAPH_READ_RETENTION_DAYS)`)
    else if (message.at > now) report.lose(MESSAGES, 'their time lies in the future')
    else batch.push({ account, message })
    if (batch.length < AT_ONCE) continue
    await bringBatch(importing, batch)
    batch = []
  }
  await bringBatch(importing, batch)
}

function whyWithoutAccount({ users }: ForeignServer, { userId }: ForeignMessage): string {
  if (userId === null) return 'they were sent without a user; --into NAME brings them into one account'
  if (users.length === 0) return 'the database of the users is not given; give it too, or --into NAME'
  return 'their sender has no account here; --into NAME brings them into one'
}

async function bringBatch(importing: Importing, batch: Placed[]): Promise<void> {
  const { ctx, server, report, isDryRun } = importing
  for (const [account, placed] of Map.groupBy(batch, (one) => one.account)) {
    const messages = placed.map(({ message }) => message)
    const { userId } = account
    const bring = async (tx: Writer, to: UserId) => {
      const outcomes: Outcome[] = []
      for (const message of messages) outcomes.push(await bringOne(ctx, tx, { server, account, userId: to }, message))
      return outcomes
    }
    const outcomes =
      isDryRun || !userId
        ? await previewOutcomes(ctx, server, userId, messages)
        : await ctx.db.transact((tx) => bring(tx, userId))
    for (const outcome of outcomes) {
      if (typeof outcome === 'string') report.messages[outcome]++
      else report.lose(MESSAGES, `the rules of notifications refuse them: ${outcome.refusal}`)
    }
  }
}

type Outcome = 'brought' | 'known' | { refusal: string }

async function previewOutcomes(
  ctx: Context,
  { door }: ForeignServer,
  userId: UserId | undefined,
  messages: ForeignMessage[],
): Promise<Outcome[]> {
  const items = messages.map(({ id }) => itemOf(door, id))
  const known = userId ? await listImported(ctx.db.read, userId, items) : new Set<string>()
  return items.map((item) => (known.has(item) ? 'known' : 'brought'))
}

const itemOf = (door: ForeignServer['door'], id: string) => `${door}:${id}`

type Place = { server: ForeignServer; account: Account; userId: UserId }

async function bringOne(ctx: Context, tx: Writer, place: Place, message: ForeignMessage): Promise<Outcome> {
  const { server, account, userId } = place
  const key = message.senderId === null ? undefined : account.keys.get(message.senderId)
  const keyId = key?.id ?? null
  try {
    const application = await applicationOf(tx, place, message, keyId)
    const { draft, door, collapseId } = composeMessage(ctx, { keyId, shield: undefined }, message.to(application))
    if (!(await claimImport(tx, userId, itemOf(server.door, message.id)))) return 'known'
    const row = { ...draft, userId, keyId, pushed: false, createdAt: message.at, readAt: message.at }
    const { bytes } = await insertNotification(tx, row, { door, collapseId })
    await adjustInbox(tx, userId, { unread: 0, bytes })
    return 'brought'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { refusal: error.message }
  }
}

// Messages of a sender without a key belong to no application.
async function applicationOf(
  tx: Writer,
  { server, userId }: Place,
  { senderId }: ForeignMessage,
  keyId: KeyId | null,
): Promise<GotifyApplication> {
  const name = server.senders.find(({ id }) => id === senderId)?.name ?? server.door
  return { number: keyId && server.door === 'gotify' ? await numberKey(tx, userId, keyId) : 0, name }
}

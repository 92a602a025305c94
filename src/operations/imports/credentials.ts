// Tokens of another server: one that sends becomes a key with the token as its alias, one with which an app receives becomes an app
// device. Like ours they are stored as hashes only.
import { LIMITS } from '../../contract/limits.ts'
import type { SessionId } from '../../domain/accounts/session.ts'
import type { UserId } from '../../domain/caller.ts'
import { deviceId } from '../../domain/devices.ts'
import { hasFormOfClientToken } from '../../domain/doors/gotify/client.ts'
import type { ForeignClient, ForeignSender } from '../../domain/imports/foreign.ts'
import { DAY_SECONDS, type Instant, plusSeconds } from '../../domain/instant.ts'
import { hasFormOfAlias, newGrant } from '../../domain/keys.ts'
import type { Plan } from '../../domain/plans.ts'
import { cutText, storableText } from '../../domain/text.ts'
import { hashToken, type TokenHash } from '../../domain/token.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { findAppOwner, insertToken } from '../../store/accounts/tokens.ts'
import { countDevices, insertDevice } from '../../store/devices/devices.ts'
import { insertClient } from '../../store/doors/gotify.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { countKeys, findAlias, findKey, insertAlias } from '../../store/keys.ts'
import { issueKey } from '../keys/keys.ts'
import type { Account, Importing } from './importing.ts'

const TOKENS = 'tokens that send'
const APPS = 'apps'

export async function bringKey(importing: Importing, account: Account | undefined, sender: ForeignSender) {
  const { ctx, server, report, isDryRun } = importing
  if (!account) return report.lose(TOKENS, 'their user has no account here')
  if (sender.token === undefined || !hasFormOfAlias(server.door, sender.token)) {
    return report.lose(TOKENS, 'the database does not have them in clear; give their senders new keys')
  }
  const hash = hashToken(sender.token)
  const alias = await findAlias(ctx.db.read, hash)
  if (alias && alias.userId !== account.userId) return report.lose(TOKENS, 'they belong to another account here')
  if (alias) {
    const known = await findKey(ctx.db.read, alias.userId, alias.keyId)
    if (known) account.keys.set(sender.id, known)
    report.keys.known++
    return
  }
  // A new account has its default key.
  const count = account.userId ? await countKeys(ctx.db.read, account.userId) : 1
  if (count + (isDryRun ? account.newKeys : 0) >= account.plan.caps.keys) {
    return report.lose(TOKENS, noRoom(account.plan, 'keys'))
  }
  account.newKeys++
  report.keys.brought++
  if (isDryRun || !account.userId) return
  const { userId } = account
  const now = ctx.clock.now()
  account.keys.set(
    sender.id,
    await ctx.db.transact((tx) => insertSender(tx, userId, { sender, hash, now }, server.door)),
  )
}

type Taken = { sender: ForeignSender; hash: TokenHash; now: Instant }

// What it could do there it can do here: send, with ntfy also at a later time.
async function insertSender(tx: Writer, userId: UserId, { sender, hash, now }: Taken, door: 'ntfy' | 'gotify') {
  await lockUser(tx, userId)
  const name = cutText(storableText(sender.name), LIMITS.name.maxChars)
  const grant = newGrant({ name, permissions: { notifications: door === 'ntfy' ? 'schedule' : 'send' } }, now)
  const { key } = await issueKey(tx, {
    userId,
    name,
    isDefault: false,
    grant: { ...grant, expiresAt: sender.expiresAt },
    now,
  })
  await insertAlias(tx, { id: newUuid(), userId, keyId: key.id, door, createdAt: now }, hash)
  return key
}

// Browsers that logged in once leave clients behind.
const UNUSED_DAYS = 90

export async function bringApp(importing: Importing, account: Account | undefined, client: ForeignClient) {
  const { ctx, report, isDryRun } = importing
  const now = ctx.clock.now()
  if (!account) return report.lose(APPS, 'their user has no account here')
  if (!hasFormOfClientToken(client.token)) {
    return report.lose(APPS, 'the database does not have their tokens in clear; log in again')
  }
  if (client.usedAt !== undefined && client.usedAt < plusSeconds(now, -UNUSED_DAYS * DAY_SECONDS)) {
    return report.lose(APPS, `they were not used for ${UNUSED_DAYS} days`)
  }
  const hash = hashToken(client.token)
  if (await findAppOwner(ctx.db.read, hash)) {
    report.apps.known++
    return
  }
  const count = account.userId ? await countDevices(ctx.db.read, account.userId) : 0
  if (count + (isDryRun ? account.newApps : 0) >= account.plan.caps.devices) {
    return report.lose(APPS, noRoom(account.plan, 'devices'))
  }
  account.newApps++
  report.apps.brought++
  if (isDryRun || !account.userId) return
  const { userId } = account
  await ctx.db.transact((tx) => insertApp(tx, userId, { client, hash, now }))
}

async function insertApp(
  tx: Writer,
  userId: UserId,
  { client, hash, now }: { client: ForeignClient; hash: TokenHash; now: Instant },
): Promise<void> {
  await lockUser(tx, userId)
  const id = deviceId(newUuid())
  const name = cutText(storableText(client.name), LIMITS.device.maxNameChars)
  await insertDevice(tx, { userId, id, name, platform: 'gotify', tags: [] }, now)
  await insertToken(tx, { id: newUuid() as SessionId, hash, kind: 'gotify', userId, deviceId: id, createdAt: now })
  await insertClient(tx, { userId, deviceId: id, tokenHash: hash, name, createdAt: now })
  await appendEvent(tx, userId, { type: 'device.registered', at: now, data: { id } })
}

const noRoom = ({ name, caps }: Plan, cap: 'keys' | 'devices') =>
  `an account on the plan ${name} has at most ${caps[cap]} ${cap}; give it a plan with more (HELIOGRAPH_PLANS), and run again`

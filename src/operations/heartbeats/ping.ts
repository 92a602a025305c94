// Receives a ping: one short transaction that changes the row of the heartbeat and keeps the ping, and makes the heartbeat
// first if the ping asks for that.
import { SLUG_PATTERN } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import { type Heartbeat, settingsByPing } from '../../domain/heartbeats/heartbeat.ts'
import { afterPing, isPingedTooOften } from '../../domain/heartbeats/judging.ts'
import type { Ping, PingAddress } from '../../domain/heartbeats/ping.ts'
import type { Instant } from '../../domain/instant.ts'
import { EVERYONE } from '../../domain/organizations/target.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { findHeartbeatByPingKeyForUpdate, findHeartbeatByTokenForUpdate } from '../../store/heartbeats/heartbeats.ts'
import { findOwnerOfPingKey, savePing } from '../../store/heartbeats/pings.ts'
import type { Context } from '../context.ts'
import { insertNew } from './manage.ts'
import { noteSent, saveChange } from './save.ts'

// Returns whether it has made the heartbeat.
export async function receivePing(ctx: Context, address: PingAddress, ping: Ping): Promise<{ isNew: boolean }> {
  const now = ctx.clock.now()
  const { isNew, ...saved } = await ctx.db.transact(async (tx) => {
    const found = await findPinged(tx, address)
    const { heartbeat: before, isNew } = found
      ? { heartbeat: found, isNew: false }
      : await create(ctx, tx, address, now)
    if (isPingedTooOften(before, now)) throw tooOften()
    const change = afterPing(before, ping, now)
    const { rid: _, ...kept } = ping
    await savePing(tx, change.heartbeat, { ...kept, at: now, durationMs: change.durationMs })
    return { ...(await saveChange(ctx, tx, before, change, now)), isNew }
  })
  noteSent(ctx, saved)
  return { isNew }
}

const findPinged = (tx: Writer, address: PingAddress): Promise<Heartbeat | undefined> =>
  'token' in address
    ? findHeartbeatByTokenForUpdate(tx, address.token)
    : findHeartbeatByPingKeyForUpdate(tx, address.key, address.slug)

type Pinged = { heartbeat: Heartbeat; isNew: boolean }

async function create({ config }: Context, tx: Writer, address: PingAddress, now: Instant): Promise<Pinged> {
  const userId = 'key' in address && address.mayCreate ? await findOwnerOfPingKey(tx, address.key) : undefined
  const account = userId && (await findUser(tx, userId))
  if (!('key' in address) || !account || account.kind === 'closed-organization') throw unknownAddress()
  requireSlugForm(address.slug)
  // The lock keeps the number of heartbeats. Another ping may have made this one meanwhile.
  await lockUser(tx, account.id)
  const madeByAnother = await findPinged(tx, address)
  if (madeByAnother) return { heartbeat: madeByAnother, isNew: false }
  const targetIds = account.kind === 'organization' ? EVERYONE : null
  const fields = { slug: address.slug, settings: settingsByPing(address.slug), targetIds }
  const owner = { userId: account.id, plan: config.plans.named(account.plan) }
  return { heartbeat: await insertNew(tx, owner, fields, now), isNew: true }
}

const SLUG = new RegExp(SLUG_PATTERN)

function requireSlugForm(slug: string): void {
  if (!SLUG.test(slug)) throw new Problem('slug.invalid', 'A slug has letters, digits, hyphens and underscores.')
}

export const unknownAddress = (): Problem => new Problem('heartbeat.not_found', 'No heartbeat has this address.')

const tooOften = (): Problem =>
  new Problem('rate_limit.exceeded', `More than ${LIMITS.heartbeat.pingsPerMinute} pings a minute; wait a minute.`)

// Reads, sets and ends the quiet hours of a person.
import type { QuietHoursInput, QuietUntilInput } from '../../contract/holds.ts'
import type { Caller } from '../../domain/caller.ts'
import {
  NO_QUIET_HOURS,
  type QuietHours,
  quietUntil,
  readQuietHours,
  readQuietUntil,
  type ShownQuietHours,
} from '../../domain/holds/quiet-hours.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { updateHoldsPushes } from '../../store/holds/hold-rules.ts'
import { deleteQuietHours, endQuietUntil, findQuietHours, saveQuietHours } from '../../store/holds/quiet-hours.ts'
import type { Context } from '../context.ts'
import { moveDigest } from './digest-job.ts'

export async function showQuietHours(ctx: Context, caller: Caller): Promise<ShownQuietHours> {
  requireUser(caller)
  return shown(ctx.db.read, caller, ctx.clock.now())
}

export function setQuietHours(ctx: Context, caller: Caller, input: QuietHoursInput): Promise<ShownQuietHours> {
  requireUser(caller)
  const settings = readQuietHours(input)
  return change(ctx, caller, async (tx) => {
    const { until } = await current(tx, caller)
    await saveQuietHours(tx, caller.userId, { ...settings, until })
  })
}

// Ends "do not disturb until", too.
export async function removeQuietHours(ctx: Context, caller: Caller): Promise<void> {
  requireUser(caller)
  await change(ctx, caller, (tx) => deleteQuietHours(tx, caller.userId))
}

// "Do not disturb until": quiet from now on.
export function beQuietUntil(ctx: Context, caller: Caller, input: QuietUntilInput): Promise<ShownQuietHours> {
  requireUser(caller)
  const until = readQuietUntil(input, ctx.clock.now())
  return change(ctx, caller, async (tx) => {
    await saveQuietHours(tx, caller.userId, { ...(await current(tx, caller)), until })
  })
}

export async function stopBeingQuiet(ctx: Context, caller: Caller): Promise<void> {
  requireUser(caller)
  await change(ctx, caller, (tx) => endQuietUntil(tx, caller.userId))
}

async function change(ctx: Context, caller: Caller, write: (tx: Writer) => Promise<void>): Promise<ShownQuietHours> {
  const now = ctx.clock.now()
  const { userId } = caller
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    await write(tx)
    await updateHoldsPushes(tx, userId)
    await moveDigest(tx, userId, now)
    await appendEvent(tx, userId, { type: 'quiet_hours.updated', at: now, data: {} })
    return shown(tx, caller, now)
  })
}

const current = async (db: Reader, { userId }: Caller): Promise<QuietHours> =>
  (await findQuietHours(db, userId)) ?? NO_QUIET_HOURS

async function shown(db: Reader, caller: Caller, now: Instant): Promise<ShownQuietHours> {
  const hours = await current(db, caller)
  const until = hours.until !== null && hours.until > now ? hours.until : null
  return { ...hours, until, quietUntil: quietUntil(hours, now) }
}

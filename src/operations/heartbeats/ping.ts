// Receives a ping: one short transaction that changes the row of the heartbeat and keeps the ping.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { PingToken } from '../../domain/heartbeats/heartbeat.ts'
import { afterPing, isPingedTooOften } from '../../domain/heartbeats/judging.ts'
import type { Ping } from '../../domain/heartbeats/ping.ts'
import { findHeartbeatByTokenForUpdate } from '../../store/heartbeats/heartbeats.ts'
import { savePing } from '../../store/heartbeats/pings.ts'
import type { Context } from '../context.ts'
import { noteSent, saveChange } from './save.ts'

export async function receivePing(ctx: Context, token: PingToken, ping: Ping): Promise<void> {
  const now = ctx.clock.now()
  const saved = await ctx.db.transact(async (tx) => {
    const before = await findHeartbeatByTokenForUpdate(tx, token)
    if (!before) throw unknownAddress()
    if (isPingedTooOften(before, now)) throw tooOften()
    const change = afterPing(before, ping, now)
    const { rid: _, ...kept } = ping
    await savePing(tx, change.heartbeat, { ...kept, at: now, durationMs: change.durationMs })
    return saveChange(ctx, tx, before, change, now)
  })
  noteSent(ctx, saved)
}

export const unknownAddress = (): Problem => new Problem('heartbeat.not_found', 'No heartbeat has this address.')

const tooOften = (): Problem =>
  new Problem('rate_limit.exceeded', `More than ${LIMITS.heartbeat.pingsPerMinute} pings a minute; wait a minute.`)

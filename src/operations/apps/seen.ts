// When the app of another service was last here. The console waits for its first visit.
import type { AppCaller } from '../../domain/caller.ts'
import { plusSeconds } from '../../domain/instant.ts'
import { findDevice, updateLastSeen } from '../../store/devices.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Context } from '../context.ts'

const PRECISION_SECONDS = 60

export async function noteAppSeen(ctx: Context, { userId, deviceId }: AppCaller): Promise<void> {
  const now = ctx.clock.now()
  const device = await findDevice(ctx.db.read, userId, deviceId)
  if (!device) return
  const isFirst = device.lastSeenAt === device.createdAt
  if (!isFirst && device.lastSeenAt > plusSeconds(now, -PRECISION_SECONDS)) return
  await ctx.db.transact(async (tx) => {
    const isSeen = await updateLastSeen(tx, userId, deviceId, now)
    if (isSeen) await appendEvent(tx, userId, { type: 'device.updated', at: now, data: { id: deviceId } })
  })
}

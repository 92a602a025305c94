// Reads what an account has sent and what was refused, day by day, and what its devices have taken.
import {
  type DailyCount,
  type DeviceDeliveries,
  dayOf,
  deliveriesByDevice,
  summarize,
  type Usage,
} from '../../domain/accounts/daily-counts.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireUser } from '../../domain/permissions.ts'
import { listDailyCounts } from '../../store/accounts/daily-counts.ts'
import { listDeliveries } from '../../store/accounts/daily-deliveries.ts'
import type { Context } from '../context.ts'

// A read of this many days has at most 3000 small rows.
const DAYS_PER_READ = 30

export type UsageOverview = Usage & { devices: DeviceDeliveries[] }

// Covers the last `days` days, today included.
export async function readUsage(ctx: Context, caller: Caller, days: number): Promise<UsageOverview> {
  requireUser(caller)
  await ctx.dailyCounts.flush()
  const today = dayOf(ctx.clock.now())
  const first = today - days + 1
  const counts: DailyCount[] = []
  for (let from = first; from <= today; from += DAYS_PER_READ) {
    const before = Math.min(from + DAYS_PER_READ, today + 1)
    counts.push(
      ...(await ctx.slices(caller.userId, () => listDailyCounts(ctx.db.read, caller.userId, { from, before }))),
    )
  }
  const deliveries = await ctx.slices(caller.userId, () => listDeliveries(ctx.db.read, caller.userId, { from: first }))
  return { ...summarize(counts, first, days), devices: deliveriesByDevice(deliveries) }
}

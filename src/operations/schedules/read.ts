// Reads schedules: a page of them, or one.
import { Problem } from '../../contract/problems.ts'
import type { ScheduleQuery } from '../../contract/schedules.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import { decodePlace, encodePlace, type Page } from '../../domain/cursor.ts'
import { openOwn } from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Schedule, ScheduleId } from '../../domain/schedules/schedule.ts'
import type { Reader } from '../../store/engine/database.ts'
import { findSchedule, listScheduleEntries, listSchedules } from '../../store/schedules.ts'
import type { Context } from '../context.ts'
import { readCursor, readPage } from '../paging.ts'
import { withPresentNames } from './target.ts'

export async function readSchedulePage(ctx: Context, caller: Caller, query: ScheduleQuery): Promise<Page<Schedule>> {
  requireLevel(caller, 'notifications', 'schedule')
  const { status = 'scheduled', limit, cursor } = query
  const after = readCursor(cursor, (text) => decodePlace(status, text))
  const filter = { ...ownerOf(caller), status, after }
  return readPage(limit, {
    find: async (count) => ({ entries: await listScheduleEntries(ctx.db.read, filter, count) }),
    bytesOf: ({ bytes }) => bytes,
    load: async (entries) => {
      const found = await ctx.slices(caller.userId, () => listSchedules(ctx.db.read, filter, entries))
      const schedules = found.flatMap((one) => openOwn(caller, one) ?? [])
      return withPresentNames(ctx.db.read, caller, schedules)
    },
    cursorAfter: (entry) => encodePlace(status, entry),
  })
}

export async function readSchedule(ctx: Context, caller: Caller, id: ScheduleId): Promise<Schedule> {
  requireLevel(caller, 'notifications', 'schedule')
  const schedule = await requireSchedule(ctx.db.read, caller, id)
  return (await withPresentNames(ctx.db.read, caller, [schedule]))[0] ?? schedule
}

export async function requireSchedule(db: Reader, caller: Caller, id: ScheduleId): Promise<Schedule> {
  const schedule = openOwn(caller, await findSchedule(db, caller.userId, id))
  if (schedule) return schedule
  throw new Problem('scheduled_notification.not_found', `There is no schedule ${id}.`)
}

// A key sees its own schedules, a person those of the account.
const ownerOf = (caller: Caller) => ({ userId: caller.userId, keyId: senderOf(caller).keyId })

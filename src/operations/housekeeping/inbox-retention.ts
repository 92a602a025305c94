// Applies retention to inboxes: deletes expired notifications, and the oldest ones of an inbox over its size limit.
import { LIMITS } from '../../contract/limits.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { isTrusted, nextRetentionClock } from '../../domain/retention-clock.ts'
import { BOTH_HALVES, type InboxAge, listInboxAges } from '../../store/notifications/inbox-removal.ts'
import type { Half } from '../../store/notifications/notifications.ts'
import { findRetentionClock, saveRetentionClock } from '../../store/server.ts'
import type { Context } from '../context.ts'
import { removeOldest, trimToBytes } from '../notifications/trim-inbox.ts'

const ACCOUNTS_AT_ONCE = 100

// `isClockTrusted`: whether notifications may be deleted for their age.
export async function trimInboxes(ctx: Context, isClockTrusted: boolean, now: Instant): Promise<void> {
  for (let after: InboxAge['userId'] | undefined; ; ) {
    const inboxes = await ctx.slices('retention', () => listInboxAges(ctx.db.read, after, ACCOUNTS_AT_ONCE))
    for (const inbox of inboxes) {
      if (isClockTrusted) await removeExpired(ctx, inbox, now)
      await removeExcess(ctx, inbox)
    }
    after = inboxes.at(-1)?.userId
    if (inboxes.length < ACCOUNTS_AT_ONCE) return
  }
}

async function removeExpired(ctx: Context, inbox: InboxAge, now: Instant): Promise<void> {
  const { headKeptDays } = LIMITS.organization
  const days = inbox.isOfPerson
    ? { read: ctx.config.readRetentionDays, unread: ctx.config.unreadRetentionDays }
    : { read: headKeptDays, unread: headKeptDays }
  const oldestAt = { read: inbox.oldestReadAt, unread: inbox.oldestUnreadAt }
  const isDue = (half: Half, before: Instant) => {
    const at = oldestAt[half]
    // A notification from the future was written while the clock was ahead; expired ones may come after it.
    return at !== undefined && (at < before || at > now)
  }
  for (const half of BOTH_HALVES) {
    const createdBefore = plusSeconds(now, -days[half] * 86_400)
    if (isDue(half, createdBefore)) await removeOldest(ctx, inbox.userId, { halves: [half], createdBefore })
  }
}

async function removeExcess(ctx: Context, { userId, bytes }: InboxAge): Promise<void> {
  const mostBytes = ctx.config.inboxMegabytes * 1024 * 1024
  if (mostBytes > 0 && bytes > mostBytes) await trimToBytes(ctx, userId, mostBytes)
}

// Decides at each run of housekeeping whether anything may be deleted for its age.
export async function checkRetentionClock(ctx: Context, now: Instant): Promise<boolean> {
  const previous = await findRetentionClock(ctx.db.read)
  const clock = nextRetentionClock(previous, now)
  await ctx.db.transact((tx) => saveRetentionClock(tx, clock))
  if (isTrusted(clock, now)) return true
  const { lastRunAt } = previous ?? clock
  ctx.log.warn(
    { now, last_run_at: lastRunAt, trusted_from: clock.trustedFrom },
    'the clock has leapt; no notification is deleted for its age until it has agreed for a day',
  )
  return false
}

// Pushes to phones with the Bark app: a notification, the end of one, and the withdrawal of those that were read elsewhere.
import { LIMITS } from '../../contract/limits.ts'
import { makeTicket } from '../../domain/answers/answer-ticket.ts'
import type { UserId } from '../../domain/caller.ts'
import { type BarkAddress, isBarkAddress } from '../../domain/devices.ts'
import { barkGroupOf, barkPushId, endedAtBark, shownByBark, withdrawnAtBark } from '../../domain/doors/bark/shown.ts'
import { tagOf } from '../../domain/doors/tag.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Jobs, PreparedPush } from '../../domain/jobs.ts'
import { type Banner, rankOf } from '../../domain/notifications/notification.ts'
import { NOTIFICATION_KEPT_SECONDS, type PushMessage, type PushResult } from '../../domain/push.ts'
import { toWallTime } from '../../domain/schedules/wall-clock.ts'
import { publicUrlOf } from '../../runtime/settings.ts'
import { takeWithdrawals } from '../../store/apps/links.ts'
import { listAddresses } from '../../store/devices/push-tokens.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { findNotification, listBanners, listReplacedBanners } from '../../store/notifications/notifications.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { deleteDeadTokens, type Pushed } from './dead-tokens.ts'

type BarkMessage = PushMessage & { kind: 'bark' }

// To shorten and encrypt a long message takes milliseconds, and a batch may send a hundred of them to one phone.
const LONG_CHARS = 2000

export async function pushToPhone(ctx: JobContext, address: BarkAddress, message: BarkMessage): Promise<PushResult> {
  const chars = Object.values(message.parameters).reduce((sum, text) => sum + text.length, 0)
  if (chars < LONG_CHARS) return ctx.pushTo(address, message)
  // The slice ends when the push is on its way.
  const { pushed } = await ctx.slices(address.userId, () => ({ pushed: ctx.pushTo(address, message) }))
  return pushed
}

export function barkMessageOf(
  ctx: JobContext,
  { notification, unread: badge, record }: PreparedPush,
  { options, deviceId }: BarkAddress,
  { collapseId, repeat, wokenAt }: Jobs['push-notification'],
): BarkMessage {
  const { id, userId, level } = notification
  const publicUrl = publicUrlOf(ctx.config)
  const ticket = makeTicket(ctx.signingKey, id)
  const shown = {
    notification,
    record,
    tag: tagOf(ctx.signingKey, { userId, id, collapseId }),
    badge,
    isAlert: repeat !== undefined,
    answerUrl: `${publicUrl}/answers/${ticket}?device=${encodeURIComponent(deviceId)}`,
    consoleUrl: `${publicUrl}/app/n/${id}`,
  }
  return {
    kind: 'bark',
    parameters: shownByBark(shown, options),
    pushId: barkPushId(id, wokenAt ?? repeat ?? 0, deviceId),
    priority: level === 'passive' ? 5 : 10,
    expiresAt: plusSeconds(wokenAt ?? notification.createdAt, NOTIFICATION_KEPT_SECONDS),
  }
}

// Those that get what is not urgent, too.
export const listBarkAddresses = async (db: Reader, userId: UserId): Promise<BarkAddress[]> =>
  (await barkAddresses(db, userId)).filter(({ isRemovalAsked }) => !isRemovalAsked)

const barkAddresses = async (db: Reader, userId: UserId): Promise<BarkAddress[]> =>
  (await listAddresses(db, userId)).filter(isBarkAddress)

// `at`: when it ended.
type Ending = Omit<Jobs['show-ending'], 'at'>

export async function enqueueEnding(tx: Writer, ending: Ending, at: Instant): Promise<void> {
  if ((await barkAddresses(tx, ending.userId)).length === 0) return
  await enqueueJob(tx, { kind: 'show-ending', payload: { ...ending, at }, runAt: at })
}

// Best effort, tried once: the message stays as it was, if it does not arrive.
export async function showEnding(ctx: JobContext, { payload }: Job<'show-ending'>): Promise<JobResult> {
  const { userId, notificationId, at } = payload
  const now = ctx.clock.now()
  const notification = await findNotification(ctx.db.read, userId, notificationId)
  const [banner] = await newestOfTheirTags(ctx, userId, await listBanners(ctx.db.read, userId, [notificationId]))
  if (!notification || !banner) return { done: true }
  const timeZone = (await findQuietHours(ctx.db.read, userId))?.timezone
  const text = `${endingText(payload)}, ${timeOfDay(at, timeZone)}`
  const parameters = endedAtBark(notification, { tag: banner.tag, text, group: barkGroupOf(notification) })
  return pushToAll(ctx, await listBarkAddresses(ctx.db.read, userId), (address) => [
    {
      kind: 'bark',
      parameters,
      pushId: barkPushId(notificationId, 'ended', at, address.deviceId),
      priority: 5,
      expiresAt: plusSeconds(now, NOTIFICATION_KEPT_SECONDS),
    },
  ])
}

// In the time zone of the person's quiet hours, else in that of the server.
function timeOfDay(at: Instant, zone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  return new Date(toWallTime(at, zone)).toISOString().slice(11, 16)
}

const WORDS = { acknowledged: 'Acknowledged', answered: 'Answered', expired: 'Expired', canceled: 'Canceled' }

const endingText = ({ ending, by }: Ending): string => (by ? `${WORDS[ending]} by ${by}` : WORDS[ending])

// iOS throttles pushes without a text, so only those that matter most are withdrawn.
export async function withdrawFromBark(ctx: JobContext, { payload }: Job<'withdraw-from-bark'>): Promise<JobResult> {
  const { userId, banners } = payload
  const addresses = (await barkAddresses(ctx.db.read, userId)).filter(({ options }) => options.withdraw)
  if (addresses.length === 0) return { done: true }
  const now = ctx.clock.now()
  const shown = (await newestOfTheirTags(ctx, userId, banners)).slice(0, LIMITS.bark.withdrawnAtOnce)
  const hour = Math.floor(now / 3_600_000)
  const pushed: Pushed[] = []
  for (const address of addresses) {
    const bound = { wanted: shown.length, most: LIMITS.bark.withdrawnInAnHour, hour }
    const taken = await ctx.db.transact((tx) => takeWithdrawals(tx, userId, address.deviceId, bound))
    const results = shown.slice(0, taken).map(async ({ tag }) => {
      const message: PushMessage = {
        kind: 'bark',
        parameters: withdrawnAtBark(tag),
        pushId: barkPushId(tag, 'withdrawn', now, address.deviceId),
        priority: 5,
        expiresAt: plusSeconds(now, NOTIFICATION_KEPT_SECONDS),
      }
      return { address, result: await ctx.pushTo(address, message) }
    })
    pushed.push(...(await Promise.all(results)))
  }
  return { done: true, record: (tx) => deleteDeadTokens(tx, pushed, now) }
}

type TaggedBanner = Banner & { tag: string }

// Highest level and newest first, one of each tag, without those in whose place the phone shows a newer unread message.
async function newestOfTheirTags(
  { db, signingKey }: JobContext,
  userId: UserId,
  banners: Banner[],
): Promise<TaggedBanner[]> {
  const replaced = new Set(await listReplacedBanners(db.read, userId, banners))
  const byTag = new Map<string, TaggedBanner>()
  for (const banner of banners) {
    const tag = tagOf(signingKey, { userId, ...banner })
    if (!replaced.has(banner.id) && (byTag.get(tag)?.id ?? 0) < banner.id) byTag.set(tag, { ...banner, tag })
  }
  return [...byTag.values()].sort((one, other) => rankOf(other.level) - rankOf(one.level) || other.id - one.id)
}

async function pushToAll(
  ctx: JobContext,
  addresses: BarkAddress[],
  messagesFor: (address: BarkAddress) => PushMessage[],
): Promise<JobResult> {
  const pushed = await Promise.all(
    addresses.flatMap((address) =>
      messagesFor(address).map(async (message) => ({ address, result: await ctx.pushTo(address, message) })),
    ),
  )
  return { done: true, record: (tx) => deleteDeadTokens(tx, pushed, ctx.clock.now()) }
}

// UnifiedPush: gives the names that an ntfy app asks for to its device, and takes what is posted there. Neither the inbox nor
// anything else of the account knows these messages.
import { LIMITS } from '../../../contract/limits.ts'
import type { AppCaller, UserId } from '../../../domain/caller.ts'
import { isEndpointName, PREFIX_CHARS, type Vapid } from '../../../domain/doors/ntfy/unified-push.ts'
import { DAY_SECONDS, type Instant, plusSeconds, yearMonthDay } from '../../../domain/instant.ts'
import { hashToken } from '../../../domain/token.ts'
import { newUuid } from '../../../runtime/ids.ts'
import type { Config } from '../../../runtime/settings.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import {
  type EndpointId,
  findEndpointByName,
  findEndpointForUpdate,
  insertEndpoint,
  insertPushMessage,
  isStreamOpen,
  listEndpoints,
  listEndpointsByName,
  listSourceNames,
  noteEndpointsSeen,
  type PushEndpoint,
  updateEndpoint,
} from '../../../store/apps/push-endpoints.ts'
import { findDevice } from '../../../store/devices/devices.ts'
import type { Reader, Writer } from '../../../store/engine/database.ts'
import { appendEvent } from '../../../store/events/feeds.ts'
import { incrementUsage } from '../../../store/usage.ts'
import type { Context } from '../../context.ts'
import { planOf } from '../../plans.ts'

const { unifiedPush: BOUNDS } = LIMITS

// At the root of a host name of its own, unless the operator says otherwise: the app takes no path there.
export const isUnifiedPushOn = ({ unifiedpush, ntfyHost, doors }: Config): boolean =>
  doors.includes('ntfy') && (unifiedpush ?? ntfyHost !== undefined)

// The endpoints of the device among the topics, by their ids. A name that nobody has becomes one of this device; a name that
// somebody else has, or that a source of the account has, does not.
export async function claimEndpoints(
  ctx: Context,
  { userId, deviceId }: AppCaller,
  topics: string[],
): Promise<Map<EndpointId, string>> {
  const names = isUnifiedPushOn(ctx.config) ? topics.filter(isEndpointName).slice(0, BOUNDS.maxPerDevice) : []
  if (names.length === 0) return new Map()
  const now = ctx.clock.now()
  const nameOf = new Map(names.map((name): [string, string] => [hashToken(name), name]))
  const known = await listEndpointsByName(ctx.db.read, [...nameOf.keys()])
  const knownHashes = new Set(known.map(({ nameHash }) => nameHash))
  const unknown = [...nameOf].filter(([hash]) => !knownHashes.has(hash)).map(([, name]) => name)
  const claimed = unknown.length > 0 ? await claim(ctx, { userId, deviceId }, unknown, now) : []
  const ours = [...known, ...claimed].filter(
    (one) => one.userId === userId && one.deviceId === deviceId && one.endedAt === null,
  )
  const toNote = ours.filter(({ seenAt }) => plusSeconds(seenAt, BOUNDS.seenSeconds) < now).map(({ id }) => id)
  if (toNote.length > 0) await noteSeen(ctx, toNote, now)
  return new Map(ours.map(({ id, nameHash }) => [id, nameOf.get(nameHash) ?? '']))
}

type Owner = Pick<PushEndpoint, 'userId' | 'deviceId'>

// As many of the names as the device and the account have room for. What somebody else claims at the same time is theirs.
async function claim(ctx: Context, owner: Owner, names: string[], now: Instant): Promise<PushEndpoint[]> {
  const { userId, deviceId } = owner
  const sources = await listSourceNames(ctx.db.read, userId, names)
  const wanted = names.filter((name) => !sources.includes(name))
  return ctx.db.transact(async (tx) => {
    // The counts cannot change until the commit.
    await lockUser(tx, userId)
    if (!(await findDevice(tx, userId, deviceId))) return []
    const all = await listEndpoints(tx, userId)
    const ofDevice = all.filter((one) => one.deviceId === deviceId).length
    const room = Math.max(Math.min(BOUNDS.maxPerAccount - all.length, BOUNDS.maxPerDevice - ofDevice), 0)
    const fresh = wanted.slice(0, room).map((name) => newEndpoint(owner, name, now))
    for (const endpoint of fresh) await insertEndpoint(tx, endpoint)
    const hashes = fresh.map(({ nameHash }) => nameHash)
    return hashes.length > 0 ? listEndpointsByName(tx, hashes) : []
  })
}

const newEndpoint = (owner: Owner, name: string, now: Instant): PushEndpoint => ({
  ...owner,
  id: newUuid(),
  nameHash: hashToken(name),
  prefix: name.slice(0, PREFIX_CHARS),
  createdAt: now,
  seenAt: now,
  endedAt: null,
  fingerprint: null,
  subject: null,
  isPinned: false,
  tokens: BOUNDS.burst,
  refilledAt: now,
  lastMessageAt: null,
  day: 0,
  messagesToday: 0,
})

// Returns what to call while the app is connected, as often as one likes: a connection that stays open for days asks for its
// names all that time.
export function endpointWatch(ctx: Context, ids: EndpointId[]): () => void {
  let notedAt = ctx.clock.now()
  return () => {
    const now = ctx.clock.now()
    if (ids.length === 0 || now < plusSeconds(notedAt, BOUNDS.seenSeconds)) return
    notedAt = now
    noteSeen(ctx, ids, now).catch((error) => ctx.log.warn({ err: error }, 'cannot note that an app is connected'))
  }
}

const noteSeen = (ctx: Context, ids: EndpointId[], now: Instant): Promise<void> =>
  ctx.db.transact((tx) => noteEndpointsSeen(tx, ids, now))

// `topic`: of RFC 8030.
export type Posted = { body: Buffer; ttlSeconds: number; priority: number; topic?: string; vapid: Vapid }

export type PostResult =
  | { result: 'accepted'; id: string; ttlSeconds: number; at: Instant }
  | { result: 'unknown' | 'gone' | 'vapid_invalid' | 'vapid_missing' | 'vapid_other' | 'too_many_today' }
  | { result: 'too_many'; afterSeconds: number }

export async function postToEndpoint(ctx: Context, name: string, posted: Posted): Promise<PostResult> {
  const answer = await tryPost(ctx, name, posted)
  ctx.metrics.messagePosted(answer.result, answer.result === 'accepted' ? posted.body.length : 0)
  return answer
}

async function tryPost(ctx: Context, name: string, posted: Posted): Promise<PostResult> {
  const known = await findEndpointByName(ctx.db.read, hashToken(name))
  if (!known) return { result: 'unknown' }
  const now = ctx.clock.now()
  if (await isGone(ctx.db.read, known, now)) return { result: 'gone' }
  if (posted.vapid.result === 'invalid') return { result: 'vapid_invalid' }
  const { id, userId } = known
  const store = async (tx: Writer): Promise<PostResult> => {
    const endpoint = await findEndpointForUpdate(tx, id)
    return endpoint ? take(ctx, tx, endpoint, posted, now) : { result: 'gone' }
  }
  return withinBound(ctx, userId, () =>
    ctx.db.transact(store, { group: { kind: 'push message', account: userId, row: id } }),
  )
}

const inFlight = new WeakMap<Context, Map<UserId, number>>()

// Strangers post here, so they take only so many of the writes that an account may have under way.
async function withinBound(ctx: Context, userId: UserId, write: () => Promise<PostResult>): Promise<PostResult> {
  const counts = inFlight.get(ctx) ?? new Map<UserId, number>()
  inFlight.set(ctx, counts)
  const count = counts.get(userId) ?? 0
  if (count >= BOUNDS.maxInFlight) return { result: 'too_many', afterSeconds: 1 }
  counts.set(userId, count + 1)
  try {
    return await write()
  } finally {
    const left = (counts.get(userId) ?? 1) - 1
    if (left > 0) counts.set(userId, left)
    else counts.delete(userId)
  }
}

// The device was removed, or has connected for a day without asking for the name, or has not been here for a month.
async function isGone(db: Reader, { endedAt, userId, deviceId, seenAt }: PushEndpoint, now: Instant): Promise<boolean> {
  if (endedAt !== null) return true
  const device = await findDevice(db, userId, deviceId)
  if (!device || plusSeconds(seenAt, DAY_SECONDS) < device.lastSeenAt) return true
  const isOld = plusSeconds(device.lastSeenAt, BOUNDS.unseenDays * DAY_SECONDS) < now
  return isOld && !(await isStreamOpen(db, userId, deviceId, now))
}

async function take(
  ctx: Context,
  tx: Writer,
  endpoint: PushEndpoint,
  posted: Posted,
  now: Instant,
): Promise<PostResult> {
  const { vapid, ttlSeconds, priority, topic, body } = posted
  const { userId, deviceId, isPinned, fingerprint } = endpoint
  if (isPinned && vapid.result !== 'valid') return { result: 'vapid_missing' }
  const sender = vapid.result === 'valid' ? vapid.sender : undefined
  if (isPinned && fingerprint !== null && sender?.fingerprint !== fingerprint) return { result: 'vapid_other' }
  const tokens = Math.min(BOUNDS.burst, endpoint.tokens + ((now - endpoint.refilledAt) / 60_000) * BOUNDS.perMinute)
  if (tokens < 1) return { result: 'too_many', afterSeconds: Math.ceil(60 / BOUNDS.perMinute) }
  const { caps } = await planOf(ctx, tx, userId)
  const perDay = { limit: caps.unifiedpush_per_day, per: 'day' } as const
  if (!(await incrementUsage(tx, userId, 'push_messages', perDay, now))) return { result: 'too_many_today' }
  const today = yearMonthDay(now)
  await updateEndpoint(tx, {
    ...endpoint,
    tokens: tokens - 1,
    refilledAt: now,
    lastMessageAt: now,
    day: today,
    messagesToday: endpoint.day === today ? endpoint.messagesToday + 1 : 1,
    fingerprint: sender?.fingerprint ?? fingerprint,
    subject: sender?.subject ?? endpoint.subject,
  })
  const id = newUuid()
  const accepted: PostResult = { result: 'accepted', id, ttlSeconds, at: now }
  if (ttlSeconds === 0 && !(await isStreamOpen(tx, userId, deviceId, now))) return accepted
  const expiresAt = plusSeconds(now, Math.max(ttlSeconds, BOUNDS.deliverySeconds))
  const message = { id, endpointId: endpoint.id, body: body.toString('base64'), priority, expiresAt }
  await insertPushMessage(tx, userId, message, topic)
  await appendEvent(tx, userId, { type: 'push.received', at: now, data: { message_id: id } })
  return accepted
}

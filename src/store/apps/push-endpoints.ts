// Endpoints of UnifiedPush: names that the ntfy app of a device has asked for, at which anyone who knows one may post, and the
// messages that wait there. A row outlives its device, so that senders learn that it is gone.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import { DAY_SECONDS, type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, rowsOf } from '../engine/rows.ts'
import { FOR_UPDATE, list, sql } from '../engine/sql.ts'

export type EndpointId = string

// `prefix`: the beginning of the name, to be shown. `tokens`: posts that it may get at once, at `refilledAt`.
export type PushEndpoint = {
  id: EndpointId
  nameHash: string
  userId: UserId
  deviceId: DeviceId
  prefix: string
  createdAt: Instant
  // When the app last asked for it.
  seenAt: Instant
  endedAt: Instant | null
  fingerprint: string | null
  subject: string | null
  isPinned: boolean
  tokens: number
  refilledAt: Instant
  lastMessageAt: Instant | null
  day: number
  messagesToday: number
}

const ROWS = rowsOf<PushEndpoint>('push_endpoints', {
  id: 'id',
  nameHash: 'name_hash',
  userId: 'user_id',
  deviceId: 'device_id',
  prefix: 'prefix',
  createdAt: 'created_at',
  seenAt: 'seen_at',
  endedAt: 'ended_at',
  fingerprint: 'fingerprint',
  subject: 'subject',
  isPinned: flag('pinned'),
  tokens: 'tokens',
  refilledAt: 'refilled_at',
  lastMessageAt: 'last_message_at',
  day: 'day',
  messagesToday: 'messages_today',
})

export const findEndpointByName = (db: Reader, nameHash: string): Promise<PushEndpoint | undefined> =>
  ROWS.first(db, sql`where name_hash = ${nameHash}`)

export const listEndpointsByName = (db: Reader, nameHashes: string[]): Promise<PushEndpoint[]> =>
  ROWS.all(db, sql`where name_hash in (${list(nameHashes)})`)

export const findEndpointForUpdate = (tx: Writer, id: EndpointId): Promise<PushEndpoint | undefined> =>
  ROWS.first(tx, sql`where id = ${id} ${FOR_UPDATE}`)

// Those that have not ended.
export const listEndpoints = (db: Reader, userId: UserId, deviceId?: DeviceId): Promise<PushEndpoint[]> =>
  ROWS.all(
    db,
    sql`where user_id = ${userId} and ended_at is null ${deviceId ? sql`and device_id = ${deviceId}` : sql``}
      order by created_at, id`,
  )

// Does nothing if the name is taken.
export async function insertEndpoint(tx: Writer, endpoint: PushEndpoint): Promise<void> {
  const { id, nameHash, userId, deviceId, prefix, createdAt, tokens } = endpoint
  tx.queue(sql`insert into push_endpoints (id, name_hash, user_id, device_id, prefix, created_at, seen_at, pinned,
      tokens, refilled_at, day, messages_today)
    values (${id}, ${nameHash}, ${userId}, ${deviceId}, ${prefix}, ${createdAt}, ${createdAt}, 0, ${tokens},
      ${createdAt}, 0, 0) on conflict (name_hash) do nothing`)
}

export async function updateEndpoint(tx: Writer, one: PushEndpoint): Promise<void> {
  tx.queue(sql`update push_endpoints set seen_at = ${one.seenAt}, ended_at = ${one.endedAt},
      fingerprint = ${one.fingerprint}, subject = ${one.subject}, pinned = ${one.isPinned ? 1 : 0},
      tokens = ${one.tokens}, refilled_at = ${one.refilledAt}, last_message_at = ${one.lastMessageAt}, day = ${one.day},
      messages_today = ${one.messagesToday}
    where id = ${one.id}`)
}

export async function noteEndpointsSeen(tx: Writer, ids: EndpointId[], now: Instant): Promise<void> {
  tx.queue(sql`update push_endpoints set seen_at = ${now} where id in (${list(ids)})`)
}

// A phone that was away since then could not ask for its names. Those that it had count as asked for now.
export async function excuseAbsence(
  tx: Writer,
  { userId, deviceId }: Pick<PushEndpoint, 'userId' | 'deviceId'>,
  awaySince: Instant,
  now: Instant,
): Promise<void> {
  tx.queue(sql`update push_endpoints set seen_at = ${now}
    where user_id = ${userId} and device_id = ${deviceId} and seen_at >= ${plusSeconds(awaySince, -DAY_SECONDS)}`)
}

// How far back a source is looked for, so that a large inbox does not block the process.
const LOOKED_AT = 10_000

// Which of the names are sources of the account: such a name is an ordinary topic.
export async function listSourceNames(db: Reader, userId: UserId, names: string[]): Promise<string[]> {
  const rows = await db.all<{ source: string }>(sql`select distinct source from
    (select source from notifications where user_id = ${userId} order by id desc limit ${LOOKED_AT}) newest
    where source in (${list(names.flatMap((name) => [name, name.toLowerCase()]))})`)
  const sources = rows.map(({ source }) => source)
  return names.filter((name) => sources.includes(name) || sources.includes(name.toLowerCase()))
}

// `body`: in base64.
export type PushMessageRow = {
  id: string
  endpointId: EndpointId
  body: string
  priority: number
  expiresAt: Instant
}

const MESSAGES = rowsOf<PushMessageRow>('push_messages', {
  id: 'id',
  endpointId: 'endpoint_id',
  body: 'body',
  priority: 'priority',
  expiresAt: 'expires_at',
})

// `topic`: takes the place of what has this one.
export async function insertPushMessage(
  tx: Writer,
  userId: UserId,
  message: PushMessageRow,
  topic: string | undefined,
): Promise<void> {
  const { id, endpointId, body, priority, expiresAt } = message
  if (topic) tx.queue(sql`delete from push_messages where endpoint_id = ${endpointId} and topic = ${topic}`)
  tx.queue(sql`insert into push_messages (id, user_id, endpoint_id, topic, body, priority, expires_at)
    values (${id}, ${userId}, ${endpointId}, ${topic ?? null}, ${body}, ${priority}, ${expiresAt})`)
}

// Those of this device that are still kept.
export async function listPushMessages(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  ids: string[],
  now: Instant,
): Promise<PushMessageRow[]> {
  if (ids.length === 0) return []
  return MESSAGES.all(
    db,
    sql`where user_id = ${userId} and id in (${list(ids)}) and expires_at > ${now}
      and endpoint_id in (select e.id from push_endpoints e where e.user_id = ${userId} and e.device_id = ${deviceId})`,
  )
}

export async function deleteExpiredPushMessages(tx: Writer, now: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from push_messages where id in
    (select id from push_messages where expires_at <= ${now} order by expires_at limit ${limit})`)
}

// How long senders are told that an endpoint is gone.
const REMEMBERED_DAYS = 90

export async function deleteForgottenEndpoints(tx: Writer, now: Instant, limit: number): Promise<number> {
  const before = plusSeconds(now, -REMEMBERED_DAYS * DAY_SECONDS)
  return tx.execute(sql`delete from push_endpoints where id in (select e.id from push_endpoints e
    left join devices d on d.user_id = e.user_id and d.id = e.device_id
    where coalesce(e.ended_at, e.seen_at) < ${before} and (e.ended_at is not null or d.id is null) limit ${limit})`)
}

export async function isStreamOpen(db: Reader, userId: UserId, deviceId: DeviceId, now: Instant): Promise<boolean> {
  const row = await db.first(sql`select 1 as one from event_streams
    where user_id = ${userId} and device_id = ${deviceId} and expires_at > ${now} limit 1`)
  return row !== undefined
}

// For metrics. Both up to a limit, because a large count blocks the process on SQLite.
export async function countUnifiedPush(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<{ endpoints: number; kept: number }> {
  const row = await db.first<{ endpoints: number; kept: number }>(sql`select
    (select count(*) from (select 1 from push_endpoints where ended_at is null limit ${limit}) e) as endpoints,
    (select count(*) from (select 1 from push_messages where expires_at > ${now} limit ${limit}) m) as kept`)
  return row ?? { endpoints: 0, kept: 0 }
}

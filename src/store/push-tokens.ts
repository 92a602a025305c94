// The addresses at which devices can be reached, one row each. A row lives and dies alone: a dead widget token says
// nothing about the alert token beside it.
import type { UserId } from '../domain/caller.ts'
import type { ApnsEnvironment, DeviceId, PushToken, PushTokenKind } from '../domain/device.ts'
import { type Instant, instant } from '../domain/instant.ts'
import type { Reader, Writer } from './engine/database.ts'
import { fragment, list, sql } from './engine/sql.ts'

// An address together with what to call the device it belongs to.
export type DeviceToken = PushToken & { deviceName: string }

const COLUMNS = fragment(`t.user_id, t.device_id, t.kind, t.activity_slug, t.token, t.environment, t.p256dh, t.auth,
  t.registered_at, d.name as device_name`)
const JOINED = fragment('push_tokens t join devices d on d.user_id = t.user_id and d.id = t.device_id')

// A device without a token for notifications: it learns of them by its event stream, while that is open.
export type StreamAddress = { kind: 'stream'; userId: UserId; deviceId: DeviceId; deviceName: string }

export type Address = DeviceToken | StreamAddress

export const isPushAddress = (address: Address): address is DeviceToken => address.kind !== 'stream'
export const isStreamAddress = (address: Address): address is StreamAddress => address.kind === 'stream'

// Where notifications go, one address for each device: Apple's alert token, the browser's subscription or the stream.
// Cached, because every send reads them.
export const listAddresses = (db: Reader, userId: UserId): Promise<readonly Address[]> =>
  db.cached(
    sql`select ${COLUMNS}, d.user_id as owner_id, d.id as owned_id from devices d
      left join push_tokens t on t.user_id = d.user_id and t.device_id = d.id and t.kind in ('alert', 'web_push')
      where d.user_id = ${userId} order by d.id`,
    (rows: AddressRow[]) => rows.map(toAddress),
  )

// What a push needs to know at the last moment: the unread count, for the badge, the number of the newest event, and whether
// these are still the addresses of the account, recognized by the sum of their times of registration. One plain statement,
// because every send asks.
export async function readForPush(
  tx: Writer,
  userId: UserId,
  addresses: readonly PushToken[],
): Promise<{ unread: number; newest: number; areCurrent: boolean }> {
  const row = await tx.first<{ unread: number; last_event: number; registered: number }>(sql`select unread, last_event,
      (select cast(coalesce(sum(registered_at), 0) as bigint) from push_tokens
        where user_id = ${userId} and kind in ('alert', 'web_push')) as registered
    from feeds where user_id = ${userId}`)
  const expected = addresses.reduce((sum, { registeredAt }) => sum + registeredAt, 0)
  return { unread: row?.unread ?? 0, newest: row?.last_event ?? 0, areCurrent: row?.registered === expected }
}

export async function listPushTokens(db: Reader, userId: UserId, kinds: PushTokenKind[]): Promise<DeviceToken[]> {
  if (kinds.length === 0) return []
  const rows = await db.all<TokenRow>(sql`select ${COLUMNS} from ${JOINED}
    where t.user_id = ${userId} and t.kind in (${list(kinds)})
    order by t.device_id, t.kind, t.activity_slug`)
  return rows.map(toDeviceToken)
}

export async function findPushToken(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  kind: PushTokenKind,
  activitySlug?: string,
): Promise<DeviceToken | undefined> {
  const row = await db.first<TokenRow>(sql`select ${COLUMNS} from ${JOINED}
    where t.user_id = ${userId} and t.device_id = ${deviceId} and t.kind = ${kind}
      and t.activity_slug = ${activitySlug ?? NO_ACTIVITY}`)
  return row && toDeviceToken(row)
}

// The devices that can be told about an activity: to start it, or because they show it.
export async function listDevicesForActivity(db: Reader, userId: UserId, slug: string): Promise<DeviceId[]> {
  const rows = await db.all<{ device_id: DeviceId }>(sql`select distinct device_id from push_tokens
    where user_id = ${userId} and (kind in ('push_to_start', 'web_push') or (kind = 'activity' and activity_slug = ${slug}))
    order by device_id`)
  return rows.map((row) => row.device_id)
}

// Takes the place of the address the device had for this, and takes the address away from whichever device had it,
// of whichever account: whoever registered it last holds it.
export async function replacePushToken(tx: Writer, pushToken: PushToken): Promise<void> {
  const { userId, deviceId, kind, registeredAt } = pushToken
  const { token, activitySlug, environment, p256dh, auth } = toColumns(pushToken)
  tx.queue(sql`delete from push_tokens where user_id = ${userId} and device_id = ${deviceId} and kind = ${kind}
    and activity_slug = ${activitySlug}`)
  tx.queue(sql`insert into push_tokens (user_id, device_id, kind, activity_slug, token, environment, p256dh, auth,
      registered_at)
    values (${userId}, ${deviceId}, ${kind}, ${activitySlug}, ${token}, ${environment}, ${p256dh}, ${auth},
      ${registeredAt})
    on conflict (kind, token) do update set user_id = excluded.user_id, device_id = excluded.device_id,
      activity_slug = excluded.activity_slug, environment = excluded.environment, p256dh = excluded.p256dh,
      auth = excluded.auth, registered_at = excluded.registered_at`)
}

// Activity tokens are registered one by one and are not part of what a registration describes.
export async function deleteRegisteredTokens(tx: Writer, userId: UserId, deviceId: DeviceId): Promise<void> {
  tx.queue(sql`delete from push_tokens
    where user_id = ${userId} and device_id = ${deviceId} and kind <> 'activity'`)
}

// False: the address has changed hands or was registered anew after it was gone, so it stays. When the provider does
// not say since when, the news is about the address as it was read before the push.
export async function deletePushTokenIfRegisteredBefore(
  tx: Writer,
  pushToken: PushToken,
  goneAt: Instant | undefined,
): Promise<boolean> {
  const { userId, deviceId, kind, registeredAt } = pushToken
  const { token, activitySlug } = toColumns(pushToken)
  const deleted = await tx.execute(sql`delete from push_tokens
    where user_id = ${userId} and device_id = ${deviceId} and kind = ${kind} and activity_slug = ${activitySlug}
      and token = ${token} and registered_at <= ${goneAt ?? registeredAt}`)
  return deleted === 1
}

// For activities that are long over. The app registers a new token with every one that it shows.
export async function deleteActivityTokensBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from push_tokens where (user_id, device_id, kind, activity_slug) in
    (select user_id, device_id, kind, activity_slug from push_tokens
      where kind = 'activity' and registered_at < ${at} order by registered_at limit ${limit})`)
}

// Part of the primary key, and so never null.
const NO_ACTIVITY = ''

type Columns = {
  token: string
  activitySlug: string
  environment: ApnsEnvironment | null
  p256dh: string | null
  auth: string | null
}

function toColumns(pushToken: PushToken): Columns {
  if (pushToken.kind === 'web_push') {
    const { endpoint, p256dh, auth } = pushToken
    return { token: endpoint, activitySlug: NO_ACTIVITY, environment: null, p256dh, auth }
  }
  const { token, activitySlug, environment } = pushToken
  return { token, activitySlug: activitySlug ?? NO_ACTIVITY, environment, p256dh: null, auth: null }
}

type RowOfAny = {
  user_id: UserId
  device_id: DeviceId
  registered_at: number
  device_name: string
  token: string
}
type ApnsRow = RowOfAny & {
  kind: Exclude<PushTokenKind, 'web_push'>
  activity_slug: string
  environment: ApnsEnvironment
}
type WebPushRow = RowOfAny & { kind: 'web_push'; p256dh: string; auth: string }
type TokenRow = ApnsRow | WebPushRow

type AddressRow = (TokenRow | { kind: null; device_name: string }) & { owner_id: UserId; owned_id: DeviceId }

function toAddress(row: AddressRow): Address {
  if (row.kind !== null) return toDeviceToken(row)
  return { kind: 'stream', userId: row.owner_id, deviceId: row.owned_id, deviceName: row.device_name }
}

function toDeviceToken(row: TokenRow): DeviceToken {
  const registered = {
    userId: row.user_id,
    deviceId: row.device_id,
    deviceName: row.device_name,
    registeredAt: instant(row.registered_at),
  }
  if (row.kind === 'web_push') {
    return { kind: row.kind, endpoint: row.token, p256dh: row.p256dh, auth: row.auth, ...registered }
  }
  return {
    kind: row.kind,
    token: row.token,
    environment: row.environment,
    activitySlug: row.activity_slug || null,
    ...registered,
  }
}

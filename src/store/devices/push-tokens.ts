// The push addresses of devices, one row each. Rows are independent: a dead widget token does not affect the alert
// token of the same device.
import type { Activity } from '../../domain/activities/activity.ts'
import { optionsOf } from '../../domain/apps/options.ts'
import type { UserId } from '../../domain/caller.ts'
import type {
  ApnsEnvironment,
  ApnsToken,
  BarkKind,
  DeviceAddress,
  DeviceId,
  Platform,
  PushAddress,
  PushToken,
  PushTokenKind,
} from '../../domain/devices.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, list, sql } from '../engine/sql.ts'

const COLUMNS = fragment(`t.user_id, t.device_id, t.kind, t.activity_id, t.token, t.environment, t.p256dh, t.auth,
  t.registered_at, d.name as device_name, d.platform, d.options,
  case when t.kind in ('bark', 'bark_server') then (select removal_asked_at from app_links
    where user_id = t.user_id and device_id = t.device_id) end as removal_asked_at`)
const JOINED = fragment('push_tokens t join devices d on d.user_id = t.user_id and d.id = t.device_id')

// The kinds of addresses that take notifications. A device has at most one of them.
export const FOR_NOTIFICATIONS = fragment(`('alert', 'web_push', 'bark', 'bark_server')`)

// The address for notifications of each device: Apple's alert token, a Web Push subscription, the Bark app, or the event
// stream. Cached, because every send reads them. A Bark phone that has not registered has none.
export const listAddresses = (db: Reader, userId: UserId): Promise<readonly DeviceAddress[]> =>
  db.cached(
    sql`select ${COLUMNS}, d.user_id as owner_id, d.id as owned_id from devices d
      left join push_tokens t on t.user_id = d.user_id and t.device_id = d.id and t.kind in ${FOR_NOTIFICATIONS}
      where d.user_id = ${userId} and (t.kind is not null or d.platform <> 'bark') order by d.id`,
    (rows: AddressRow[]) => rows.map(toAddress),
  )

// Read just before a push: the unread count for the badge, the number of the newest event, and whether the addresses
// are still current, which the sum of their registration times tells. One simple statement, because every send runs it.
export async function readForPush(
  tx: Writer,
  userId: UserId,
  addresses: readonly PushToken[],
): Promise<{ unread: number; newest: number; areCurrent: boolean }> {
  const row = await tx.first<{ unread: number; last_event: number; registered: number }>(sql`select unread, last_event,
      (select cast(coalesce(sum(registered_at), 0) as bigint) from push_tokens
        where user_id = ${userId} and kind in ${FOR_NOTIFICATIONS}) as registered
    from feeds where user_id = ${userId}`)
  const expected = addresses.reduce((sum, { registeredAt }) => sum + registeredAt, 0)
  return { unread: row?.unread ?? 0, newest: row?.last_event ?? 0, areCurrent: row?.registered === expected }
}

export async function listPushTokens(db: Reader, userId: UserId, kinds: PushTokenKind[]): Promise<PushAddress[]> {
  if (kinds.length === 0) return []
  const rows = await db.all<TokenRow>(sql`select ${COLUMNS} from ${JOINED}
    where t.user_id = ${userId} and t.kind in (${list(kinds)})
    order by t.device_id, t.kind, t.activity_id`)
  return rows.map(toPushAddress)
}

export async function findPushToken(
  db: Reader,
  userId: UserId,
  deviceId: DeviceId,
  kind: PushTokenKind,
  activityId?: string,
): Promise<PushAddress | undefined> {
  const row = await db.first<TokenRow>(sql`select ${COLUMNS} from ${JOINED}
    where t.user_id = ${userId} and t.device_id = ${deviceId} and t.kind = ${kind}
      and t.activity_id = ${activityId ?? NO_ACTIVITY}`)
  return row && toPushAddress(row)
}

// Replaces the device's address of this kind. Removes the address from any other device of any account: the last
// registration wins.
export async function replacePushToken(tx: Writer, pushToken: PushToken): Promise<void> {
  const { userId, deviceId, kind, registeredAt } = pushToken
  const { token, activityId, environment, p256dh, auth } = toColumns(pushToken)
  tx.queue(sql`delete from push_tokens where user_id = ${userId} and device_id = ${deviceId} and kind = ${kind}
    and activity_id = ${activityId}`)
  tx.queue(sql`insert into push_tokens (user_id, device_id, kind, activity_id, token, environment, p256dh, auth,
      registered_at)
    values (${userId}, ${deviceId}, ${kind}, ${activityId}, ${token}, ${environment}, ${p256dh}, ${auth},
      ${registeredAt})
    on conflict (kind, token) do update set user_id = excluded.user_id, device_id = excluded.device_id,
      activity_id = excluded.activity_id, environment = excluded.environment, p256dh = excluded.p256dh,
      auth = excluded.auth, registered_at = excluded.registered_at`)
}

// Activity tokens are registered separately and are not part of a registration.
export async function deleteRegisteredTokens(tx: Writer, userId: UserId, deviceId: DeviceId): Promise<void> {
  tx.queue(sql`delete from push_tokens
    where user_id = ${userId} and device_id = ${deviceId} and kind <> 'activity'`)
}

// Returns false if the address has been registered again or by another device since, so it stays. If the provider does
// not say since when it is gone, the address as read before the push counts.
export async function deletePushTokenIfRegisteredBefore(
  tx: Writer,
  pushToken: PushToken,
  goneAt: Instant | undefined,
): Promise<boolean> {
  const { userId, deviceId, kind, registeredAt } = pushToken
  const { token, activityId } = toColumns(pushToken)
  const deleted = await tx.execute(sql`delete from push_tokens
    where user_id = ${userId} and device_id = ${deviceId} and kind = ${kind} and activity_id = ${activityId}
      and token = ${token} and registered_at <= ${goneAt ?? registeredAt}`)
  return deleted === 1
}

// For activities that ended long ago. The app registers a new token for every activity that it shows.
export async function deleteActivityTokensBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from push_tokens where (user_id, device_id, kind, activity_id) in
    (select user_id, device_id, kind, activity_id from push_tokens
      where kind = 'activity' and registered_at < ${at} order by registered_at limit ${limit})`)
}

// Part of the primary key, so never null.
const NO_ACTIVITY = ''

// For a token that was registered before its activity existed.
export async function attachTokens(
  tx: Writer,
  { userId, slug, id }: Pick<Activity, 'userId' | 'slug' | 'id'>,
): Promise<void> {
  tx.queue(sql`update push_tokens set activity_id = ${id}
    where user_id = ${userId} and kind = 'activity' and activity_id = ${slug}`)
}

type Columns = {
  token: string
  activityId: string
  environment: ApnsEnvironment | null
  p256dh: string | null
  auth: string | null
}

function toColumns(pushToken: PushToken): Columns {
  if (pushToken.kind === 'web_push') {
    const { endpoint, p256dh, auth } = pushToken
    return { token: endpoint, activityId: NO_ACTIVITY, environment: null, p256dh, auth }
  }
  if ('sealed' in pushToken) {
    return { token: pushToken.sealed, activityId: NO_ACTIVITY, environment: null, p256dh: null, auth: null }
  }
  const { token, activityId, environment } = pushToken
  return { token, activityId: activityId ?? NO_ACTIVITY, environment, p256dh: null, auth: null }
}

type RowOfAny = {
  user_id: UserId
  device_id: DeviceId
  registered_at: number
  device_name: string
  platform: Platform
  options: string
  token: string
}
type ApnsRow = RowOfAny & {
  kind: ApnsToken['kind']
  activity_id: string
  environment: ApnsEnvironment
}
type WebPushRow = RowOfAny & { kind: 'web_push'; p256dh: string; auth: string }
type BarkRow = RowOfAny & { kind: BarkKind; removal_asked_at: number | null }
type TokenRow = ApnsRow | WebPushRow | BarkRow

type AddressRow = (TokenRow | { kind: null; device_name: string }) & { owner_id: UserId; owned_id: DeviceId }

function toAddress(row: AddressRow): DeviceAddress {
  if (row.kind !== null) return toPushAddress(row)
  return { kind: 'stream', userId: row.owner_id, deviceId: row.owned_id, deviceName: row.device_name }
}

const isOfBark = (row: TokenRow): row is BarkRow => row.kind === 'bark' || row.kind === 'bark_server'

function toPushAddress(row: TokenRow): PushAddress {
  const registered = {
    userId: row.user_id,
    deviceId: row.device_id,
    deviceName: row.device_name,
    registeredAt: instant(row.registered_at),
  }
  if (row.kind === 'web_push') {
    return { kind: row.kind, endpoint: row.token, p256dh: row.p256dh, auth: row.auth, ...registered }
  }
  if (isOfBark(row)) {
    const options = optionsOf(row.platform, JSON.parse(row.options)) ?? {}
    return { kind: row.kind, sealed: row.token, options, isRemovalAsked: row.removal_asked_at !== null, ...registered }
  }
  return {
    kind: row.kind,
    token: row.token,
    environment: row.environment,
    activityId: row.activity_id || null,
    ...registered,
  }
}

// Devices: registration, list and removal, and the tokens that a device registers later for an activity or for widgets.
import type { DeviceInput, DevicePatch } from '../contract/devices.ts'
import { Problem } from '../contract/problems.ts'
import { validationProblem } from '../contract/validation.ts'
import { changedOptions } from '../domain/apps/options.ts'
import type { Caller } from '../domain/caller.ts'
import {
  type Device,
  type DeviceId,
  registeredTokens,
  registrationViolations,
  requireRoomForDevice,
} from '../domain/devices.ts'
import type { Instant } from '../domain/instant.ts'
import { requireUser } from '../domain/permissions.ts'
import type { Token } from '../domain/token.ts'
import { lockUser } from '../store/accounts/accounts.ts'
import { deleteDeviceToken, deleteTokensOfDevice } from '../store/accounts/tokens.ts'
import { findShownByName, type ShownActivity } from '../store/activities/shown-activities.ts'
import { type AppLink, listLinks } from '../store/apps/links.ts'
import {
  countDevices,
  type DeviceFields,
  deleteDevice,
  findDevice,
  insertDevice,
  listDevices,
  updateDevice,
  updateDeviceNames,
  updateDeviceOptions,
  updateLastSeen,
} from '../store/devices/devices.ts'
import { deleteRegisteredTokens, findPushToken, listAddresses, replacePushToken } from '../store/devices/push-tokens.ts'
import type { Writer } from '../store/engine/database.ts'
import { appendEvent, appendToFeeds } from '../store/events/feeds.ts'
import { enqueueJob } from '../store/jobs.ts'
import { issueToken } from './accounts/accounts.ts'
import { enqueueActivityPush } from './activities/enqueue-push.ts'
import { lockOrganizationsOf, type Reach, readReachesOf, settleReaches } from './activities/reach-change.ts'
import { findSeenForUpdate } from './activities/seen.ts'
import { findShowing } from './activities/showing.ts'
import { changeTarget } from './apps/bark/manage.ts'
import type { Context } from './context.ts'

export type DeviceRegistration = { device: Device; action: 'created' | 'refreshed' }

export async function registerDevice(
  ctx: Context,
  caller: Caller,
  id: DeviceId,
  input: DeviceInput,
): Promise<DeviceRegistration> {
  requireUser(caller)
  const violations = registrationViolations(input, ctx.config.outboundAllow)
  if (violations.length > 0) throw validationProblem(violations)
  const now = ctx.clock.now()
  const { name, platform, tags = [] } = input
  return ctx.db.transact(async (tx) => {
    const fields = { userId: caller.userId, id, name, platform, tags: [...new Set(tags)] }
    await lockForTags(tx, fields)
    const reaches = await readReachesIfRetagged(tx, fields)
    const action = await saveDevice(tx, caller, fields, now)
    await deleteRegisteredTokens(tx, caller.userId, id)
    const registered = { userId: caller.userId, deviceId: id, registeredAt: now }
    for (const token of registeredTokens(input, registered)) await replacePushToken(tx, token)
    const device = await findDevice(tx, caller.userId, id)
    if (!device) throw new Error('the device just saved is not there')
    await appendToFeeds(tx, [
      { userId: caller.userId, event: { type: 'device.registered', at: now, data: { id } } },
      ...(await settleReaches(tx, reaches, now)),
    ])
    return { device, action }
  })
}

// `link`: of an app of another service that is pushed to. `isConnected`: pushes go there.
export type ListedDevice = { device: Device; link?: AppLink; isConnected?: boolean }

export async function allDevices(ctx: Context, caller: Caller): Promise<ListedDevice[]> {
  requireUser(caller)
  const { userId } = caller
  const devices = await listDevices(ctx.db.read, userId)
  const hasLinks = devices.some(({ platform }) => platform === 'bark')
  const links = new Map(hasLinks ? (await listLinks(ctx.db.read, userId)).map((link) => [link.deviceId, link]) : [])
  const pushed = new Set(hasLinks ? (await listAddresses(ctx.db.read, userId)).map(({ deviceId }) => deviceId) : [])
  return devices.map((device) => ({ device, link: links.get(device.id), isConnected: pushed.has(device.id) }))
}

export async function listedDevice(ctx: Context, caller: Caller, id: DeviceId): Promise<ListedDevice> {
  const listed = (await allDevices(ctx, caller)).find(({ device }) => device.id === id)
  if (!listed) throw deviceNotFound(id)
  return listed
}

export async function renameDevice(
  ctx: Context,
  caller: Caller,
  id: DeviceId,
  patch: DevicePatch,
): Promise<{ madeKey?: string }> {
  requireUser(caller)
  const { name, tags, options, address, encrypt } = patch
  const { madeKey } = address !== undefined || encrypt !== undefined ? await changeTarget(ctx, caller, id, patch) : {}
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockForTags(tx, { userId: caller.userId, id, tags })
    const device = await findDevice(tx, caller.userId, id)
    if (!device) throw deviceNotFound(id)
    const changed = { ...device, name: name ?? device.name, tags: tags ? [...new Set(tags)] : device.tags }
    const reaches = await readReachesIfRetagged(tx, changed)
    await updateDeviceNames(tx, changed)
    if (options) {
      await updateDeviceOptions(tx, { ...device, options: changedOptions(device.platform, device.options, options) })
    }
    await appendToFeeds(tx, [
      { userId: caller.userId, event: { type: 'device.updated', at: now, data: { id } } },
      ...(await settleReaches(tx, reaches, now)),
    ])
    return { madeKey }
  })
}

type TaggedDevice = Pick<Device, 'userId' | 'id'> & { tags?: string[] | undefined }

// Locks the account. The tags of a device decide which activities of organizations it shows, so a change of them locks the
// organizations, too: one of their activities starts before or after it.
async function lockForTags(tx: Writer, device: TaggedDevice): Promise<void> {
  if (await isRetagged(tx, device)) await lockOrganizationsOf(tx, device.userId)
  await lockUser(tx, device.userId)
}

const readReachesIfRetagged = async (tx: Writer, device: TaggedDevice): Promise<Reach[]> =>
  (await isRetagged(tx, device)) ? readReachesOf(tx, device.userId) : []

async function isRetagged(tx: Writer, { userId, id, tags }: TaggedDevice): Promise<boolean> {
  if (!tags) return false
  const before = new Set((await findDevice(tx, userId, id))?.tags)
  const after = new Set(tags)
  return before.size !== after.size || [...after].some((tag) => !before.has(tag))
}

export async function removeDevice(ctx: Context, caller: Caller, id: DeviceId): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (!(await deleteDevice(tx, caller.userId, id))) throw deviceNotFound(id)
    // Signs out a phone that was lost.
    await deleteTokensOfDevice(tx, caller.userId, id)
    await appendEvent(tx, caller.userId, { type: 'device.deleted', at: now, data: { id } })
  })
}

// `activityName`: a slug or an id.
export type ActivityToken = { activityName: string; token: string }

export async function registerActivityToken(
  ctx: Context,
  caller: Caller,
  deviceId: DeviceId,
  { activityName, token }: ActivityToken,
): Promise<void> {
  requireUser(caller)
  const { userId } = caller
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    // Locks the activity before the token is inserted, so a concurrent change either sees the token or is pushed below.
    const seen = await findSeenForUpdate(tx, caller, activityName)
    const isShowing = seen && (await findShowing(tx, seen, { userId, deviceId }, now))
    await requireDevice(tx, caller, deviceId, now)
    const alert = await findPushToken(tx, userId, deviceId, 'alert')
    // The same app registered both tokens, so they have the same environment.
    const environment = alert?.kind === 'alert' ? alert.environment : 'production'
    const shown = isShowing ? undefined : await findShownByName(tx, userId, deviceId, activityName)
    const activityId = seen?.id ?? shown?.activityId ?? activityName
    const registered = { userId, deviceId, registeredAt: now }
    await replacePushToken(tx, { ...registered, kind: 'activity', token, environment, activityId })
    // The device could not get the newest state before it had a token.
    if (seen && isShowing) await enqueueActivityPush(tx, seen, { userId, deviceId }, now)
    if (shown) await enqueueLateDismissal(tx, shown, now)
  })
}

// The activity was deleted, or did not reach the device any more, before the device had a token for it.
async function enqueueLateDismissal(tx: Writer, shown: ShownActivity, now: Instant): Promise<void> {
  const { userId, deviceId, activityId, slug } = shown
  const gone = { activityId, slug, name: slug, content: {}, timestamp: 0 }
  const payload = { userId, ...gone, deviceId, kind: 'activity' as const }
  await enqueueJob(tx, { kind: 'dismiss-activity', payload, runAt: now })
}

export async function issueWidgetToken(ctx: Context, caller: Caller, id: DeviceId): Promise<Token> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await requireDevice(tx, caller, id, now)
    await deleteDeviceToken(tx, caller.userId, id, 'hlw')
    return issueToken(tx, caller.userId, 'hlw', now, id)
  })
}

// For a device that opens an event stream. Throws if there is no such device.
export async function requireDeviceSeen(ctx: Context, caller: Caller, id: DeviceId): Promise<void> {
  await ctx.db.transact((tx) => requireDevice(tx, caller, id, ctx.clock.now()))
}

// The caller holds the lock on the account, so the count cannot change.
async function saveDevice(
  tx: Writer,
  caller: Caller,
  fields: DeviceFields,
  now: Instant,
): Promise<DeviceRegistration['action']> {
  if (await updateDevice(tx, fields, now)) return 'refreshed'
  requireRoomForDevice(caller.plan, await countDevices(tx, caller.userId))
  await insertDevice(tx, fields, now)
  return 'created'
}

// Updates last_seen_at, which also locks the device: two such calls for one device run one after the other.
async function requireDevice(tx: Writer, caller: Caller, id: DeviceId, now: Instant): Promise<void> {
  if (!(await updateLastSeen(tx, caller.userId, id, now))) throw deviceNotFound(id)
}

const deviceNotFound = (id: DeviceId) => new Problem('device.not_found', `There is no device "${id}".`)

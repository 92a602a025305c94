// Adds the Bark app of a phone as a device. Either the phone registers here, with the key file of the operator, or pushes go
// through the bark-server whose address the person pastes.
import type { AppDeviceInput, DevicePatch } from '../../../contract/devices.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import { forbiddenUrlReason } from '../../../domain/address-rules.ts'
import { seal } from '../../../domain/apps/sealing.ts'
import type { Caller } from '../../../domain/caller.ts'
import { type Device, type DeviceId, deviceId, requireRoomForDevice } from '../../../domain/devices.ts'
import { type BarkServer, type BarkTarget, hostOf, readBarkAddress } from '../../../domain/doors/bark/address.ts'
import { readEncryption } from '../../../domain/doors/bark/encryption.ts'
import { makeBarkKey } from '../../../domain/doors/bark/key.ts'
import { type Instant, plusSeconds } from '../../../domain/instant.ts'
import { requireUser } from '../../../domain/permissions.ts'
import { hashToken } from '../../../domain/token.ts'
import { newUuid, randomText } from '../../../runtime/ids.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import { type AppLink, insertLink } from '../../../store/apps/links.ts'
import { countDevices, findDevice, insertDevice } from '../../../store/devices/devices.ts'
import { replacePushToken } from '../../../store/devices/push-tokens.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { appendEvent } from '../../../store/events/feeds.ts'
import { enqueueJob } from '../../../store/jobs.ts'
import type { Context } from '../../context.ts'

// `code`: of the address with which the phone registers. It and the key are never shown again. `host`: of the bark-server.
export type BarkDevice = {
  device: Device
  host?: string
  code?: string
  openUntil?: Instant
  encryptionKey?: string
}

export async function addBarkDevice(ctx: Context, caller: Caller, input: AppDeviceInput): Promise<BarkDevice> {
  requireUser(caller)
  const { encryption, madeKey } = readEncryption(input.encrypt, randomText)
  const server = input.address === undefined ? undefined : await requireBarkServer(ctx, input.address)
  if (!server) requireBarkKey(ctx)
  const code = server ? undefined : makeBarkKey(randomText)
  const now = ctx.clock.now()
  const openUntil = code ? plusSeconds(now, LIMITS.bark.registrationSeconds) : null
  const id = deviceId(newUuid())
  const { userId } = caller
  // Until the phone has registered, its encryption is all that is known of its address.
  const sealed = seal(ctx.sealingKey, id, JSON.stringify({ ...server, encryption }))
  const link: AppLink = { ...NEW_LINK, userId, deviceId: id, kind: server ? 'bark_server' : 'bark', sealed, openUntil }
  link.host = server ? hostOf(server) : null
  link.codeHash = code ? hashToken(code) : null
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    requireRoomForDevice(caller.plan, await countDevices(tx, userId))
    await insertDevice(tx, { userId, id, name: input.name, platform: 'bark', tags: [] }, now)
    await insertLink(tx, link)
    if (server) await replacePushToken(tx, { userId, deviceId: id, kind: 'bark_server', sealed, registeredAt: now })
    if (openUntil) await enqueueSettling(tx, link, openUntil)
    const device = await findDevice(tx, userId, id)
    if (!device) throw new Error('the device just saved is not there')
    await appendEvent(tx, userId, { type: 'device.registered', at: now, data: { id } })
    const host = link.host ?? undefined
    return { device, host, code, openUntil: openUntil ?? undefined, encryptionKey: madeKey }
  })
}

const NEW_LINK = {
  host: null,
  codeHash: null,
  keyHash: null,
  refusals: 0,
  asks: [],
  removalAskedAt: null,
  removalNoticeId: null,
  endedAt: null,
}

// Ends what nobody has used, or answered, by then.
export const enqueueSettling = (
  tx: Writer,
  { userId, deviceId }: { userId: AppLink['userId']; deviceId: DeviceId },
  runAt: Instant,
): Promise<void> => enqueueJob(tx, { kind: 'settle-app-link', payload: { userId, deviceId }, runAt })

function requireBarkKey({ config }: Context): void {
  if (!config.doors.includes('bark')) {
    throw new Problem('device.channel_unavailable', 'The door for Bark is switched off on this server.')
  }
  if (config.barkKeyFile) return
  throw new Problem(
    'device.channel_unavailable',
    'This server has no key for the Bark app (HELIOGRAPH_BARK_KEY_FILE). Send `address`: what the Bark app shows for a bark-server.',
  )
}

// Asks the server whether it is one and knows the phone. Nothing of its answers is told.
export async function requireBarkServer(ctx: Context, address: string): Promise<BarkServer> {
  const server = readBarkAddress(address)
  if (!server)
    throw invalidAddress('It must be the address that the Bark app shows, such as https://api.day.app/your-key/.')
  const forbidden = forbiddenUrlReason(server.base, ctx.config.outboundAllow, false)
  if (forbidden)
    throw invalidAddress(`It ${forbidden}; HELIOGRAPH_OUTBOUND_ALLOW opens private networks and plain http.`)
  await requireAnswer(ctx, server, '/ping', 'there is no bark-server at this address')
  await requireAnswer(ctx, server, `/register/${server.key}`, 'the bark-server does not know this key')
  return server
}

async function requireAnswer(
  ctx: Context,
  { base, authorization }: BarkServer,
  path: string,
  otherwise: string,
): Promise<void> {
  const headers: Record<string, string> = authorization ? { authorization } : {}
  const reply = await ctx.askServer({ url: base + path, headers })
  if (reply.kind === 'refused') {
    throw invalidAddress(`The ${reply.reason}; HELIOGRAPH_OUTBOUND_ALLOW opens private networks and plain http.`)
  }
  if (reply.kind === 'failed') throw invalidAddress(`The server cannot be reached: ${reply.reason}.`)
  if (reply.status !== 200 || codeOf(reply.body) !== 200) throw invalidAddress(`It does not work: ${otherwise}.`)
}

function codeOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()).code
  } catch {
    return undefined
  }
}

const invalidAddress = (detail: string) => new Problem('device.address_invalid', detail)

// The new target of a link whose address or encryption the person changes. Undefined if neither changes.
export async function changedTarget(
  ctx: Context,
  link: AppLink,
  current: BarkTarget | undefined,
  { address, encrypt }: DevicePatch,
): Promise<{ target: BarkTarget; host: string | null; madeKey?: string } | undefined> {
  if (address === undefined && encrypt === undefined) return undefined
  if (address !== undefined && link.kind !== 'bark_server') {
    throw invalidAddress('This phone registers with this server itself; add it again to push through another one.')
  }
  const { encryption, madeKey } = readEncryption(encrypt, randomText)
  const server = address === undefined ? undefined : await requireBarkServer(ctx, address)
  const { encryption: before, ...place } = current ?? { token: '' }
  const target = { ...(server ?? place), encryption: encrypt === undefined ? before : encryption }
  return { target, host: server ? hostOf(server) : link.host, madeKey }
}

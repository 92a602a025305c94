// The Bark app registers with the address that the person gave it, at every launch. The address and the key of the phone are in
// every text that a person copies out of the app, so they are not enough to move a phone or to silence it unseen: another token
// has to be allowed by the owner, and a removal is asked about.
import { LIMITS } from '../../../contract/limits.ts'
import { seal, unseal } from '../../../domain/apps/sealing.ts'
import type { DeviceId } from '../../../domain/devices.ts'
import { type BarkTarget, isApnsToken } from '../../../domain/doors/bark/address.ts'
import { makeBarkKey } from '../../../domain/doors/bark/key.ts'
import { DAY_SECONDS, type Instant, plusSeconds } from '../../../domain/instant.ts'
import { hashToken } from '../../../domain/token.ts'
import { newUuid, randomText } from '../../../runtime/ids.ts'
import { type AppLink, findLinkByCode, findLinkForUpdate, updateLink } from '../../../store/apps/links.ts'
import { findDevice, updateLastSeen } from '../../../store/devices/devices.ts'
import { replacePushToken } from '../../../store/devices/push-tokens.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { appendEvent } from '../../../store/events/feeds.ts'
import type { Context } from '../../context.ts'
import { enqueueSettling } from './add.ts'
import { tellOfRemoval, tellOfStranger } from './notices.ts'

// As the app sends it. `from`: the address of the client.
export type Registration = { code: string; token: string; key: string; from: string }

// `message`: for the person; the app shows it.
export type RegistrationResult =
  | { result: 'registered'; key: string; token: string }
  | { result: 'refused'; code: 400 | 403; message: string; isGuess?: true }

const DELETED = 'deleted'

const refused = (message: string, code: 400 | 403 = 403): RegistrationResult => ({ result: 'refused', code, message })
const HOW_TO = 'Get a new address in Heliograph: Devices, Add a phone, Bark.'
const GUESSED: RegistrationResult = { result: 'refused', code: 403, message: HOW_TO, isGuess: true }

export async function registerBarkPhone(ctx: Context, registration: Registration): Promise<RegistrationResult> {
  const { code, token } = registration
  if (token !== DELETED && !isApnsToken(token)) return refused('This is no device token.', 400)
  const found = await findLinkByCode(ctx.db.read, hashToken(code))
  if (!found) return GUESSED
  const now = ctx.clock.now()
  if (await isUnchanged(ctx, found, registration, now)) return registered(registration)
  return ctx.db.transact(async (tx) => {
    const link = await findLinkForUpdate(tx, found.userId, found.deviceId)
    return link ? settle(ctx, tx, link, registration, now) : GUESSED
  })
}

const registered = ({ key, token }: Registration): RegistrationResult => ({ result: 'registered', key, token })

// The app registers at every launch: most of the time nothing has changed, and nothing is written within a minute.
async function isUnchanged(ctx: Context, link: AppLink, { token, key }: Registration, now: Instant): Promise<boolean> {
  if (!isConnected(link) || link.keyHash !== hashToken(key) || tokenOf(ctx, link) !== token) return false
  const device = await findDevice(ctx.db.read, link.userId, link.deviceId)
  return device !== undefined && now < plusSeconds(device.lastSeenAt, LIMITS.bark.seenSeconds)
}

const isConnected = ({ keyHash, removalAskedAt, endedAt }: AppLink) =>
  keyHash !== null && removalAskedAt === null && endedAt === null

async function settle(
  ctx: Context,
  tx: Writer,
  link: AppLink,
  registration: Registration,
  now: Instant,
): Promise<RegistrationResult> {
  const { token, key } = registration
  if (link.keyHash === null) return firstTime(ctx, tx, link, token, now)
  const isKnown = link.keyHash === hashToken(key)
  if (token === DELETED) return isKnown ? askToRemove(ctx, tx, link, now) : GUESSED
  const isSame = tokenOf(ctx, link) === token
  // The person has disconnected the phone: only a new address brings it back.
  if (link.endedAt !== null && link.removalAskedAt === null) return isKnown ? refused(HOW_TO) : GUESSED
  if (isSame && link.removalAskedAt !== null) return connect(ctx, tx, link, token, now)
  if (!isKnown) return GUESSED
  if (!isSame) return askToMove(ctx, tx, link, registration, now)
  await updateLastSeen(tx, link.userId, link.deviceId, now)
  if (link.sealed) await pushThere(tx, link, link.sealed, now)
  return registered(registration)
}

async function firstTime(
  ctx: Context,
  tx: Writer,
  link: AppLink,
  token: string,
  now: Instant,
): Promise<RegistrationResult> {
  if (token === DELETED || link.openUntil === null || link.openUntil <= now) return refused(HOW_TO)
  return connect(ctx, tx, link, token, now)
}

// With a new key: the one before may be one that the app has given up.
async function connect(
  ctx: Context,
  tx: Writer,
  link: AppLink,
  token: string,
  now: Instant,
): Promise<RegistrationResult> {
  const key = makeBarkKey(randomText)
  const keyHash = hashToken(key)
  await connectTo(ctx, tx, { ...link, keyHash }, token, now)
  return { result: 'registered', key, token }
}

// From now on pushes go to this token.
export async function connectTo(ctx: Context, tx: Writer, link: AppLink, token: string, now: Instant): Promise<void> {
  const { userId, deviceId } = link
  const sealed = sealTarget(ctx, deviceId, { token, encryption: targetOf(ctx, link)?.encryption })
  const free = { openUntil: null, removalAskedAt: null, removalNoticeId: null, endedAt: null, refusals: 0 }
  await updateLink(tx, { ...link, ...free, sealed, asks: [] })
  await updateLastSeen(tx, userId, deviceId, now)
  await pushThere(tx, link, sealed, now)
  await appendEvent(tx, userId, { type: 'device.registered', at: now, data: { id: deviceId } })
}

export const pushThere = (
  tx: Writer,
  { userId, deviceId, kind }: Pick<AppLink, 'userId' | 'deviceId' | 'kind'>,
  sealed: string,
  now: Instant,
): Promise<void> => replacePushToken(tx, { userId, deviceId, kind, sealed, registeredAt: now })

// Nothing ends yet: the phone and the other devices ask the person.
async function askToRemove(ctx: Context, tx: Writer, link: AppLink, now: Instant): Promise<RegistrationResult> {
  const answer: RegistrationResult = { result: 'registered', key: '', token: DELETED }
  if (!isConnected(link)) return answer
  const removalNoticeId = await tellOfRemoval(ctx, tx, link, now)
  await updateLink(tx, { ...link, removalAskedAt: now, removalNoticeId })
  await enqueueSettling(tx, link, plusSeconds(now, DAY_SECONDS))
  return answer
}

async function askToMove(
  ctx: Context,
  tx: Writer,
  link: AppLink,
  { token, from }: Registration,
  now: Instant,
): Promise<RegistrationResult> {
  const recent = link.asks.filter(({ askedAt }) => now < plusSeconds(askedAt, DAY_SECONDS))
  const asksFor = (sealed: string) => unseal(ctx.sealingKey, link.deviceId, sealed)
  if (!recent.some(({ sealed }) => asksFor(sealed) === token)) {
    const ask = { id: newUuid(), askedAt: now, from, sealed: seal(ctx.sealingKey, link.deviceId, token) }
    const asks = [...recent, ask].slice(-LIMITS.bark.maxAsks)
    await updateLink(tx, { ...link, asks })
    await tellOfStranger(ctx, tx, link, recent, now)
    await appendEvent(tx, link.userId, { type: 'device.pending', at: now, data: { id: link.deviceId } })
  }
  return refused('Allow this phone in Heliograph under Devices.')
}

export function targetOf({ sealingKey }: Context, { deviceId, sealed }: AppLink): BarkTarget | undefined {
  const text = sealed === null ? undefined : unseal(sealingKey, deviceId, sealed)
  return text === undefined ? undefined : JSON.parse(text)
}

export const sealTarget = ({ sealingKey }: Context, deviceId: DeviceId, target: BarkTarget): string =>
  seal(sealingKey, deviceId, JSON.stringify(target))

function tokenOf(ctx: Context, link: AppLink): string | undefined {
  const target = targetOf(ctx, link)
  return target && 'token' in target ? target.token : undefined
}

// Whether the address is one that a phone may still register with, or has.
export async function isKnownCode(ctx: Context, code: string): Promise<boolean> {
  const link = await findLinkByCode(ctx.db.read, hashToken(code))
  return link !== undefined && (link.keyHash !== null || (link.openUntil ?? 0) > ctx.clock.now())
}

export async function isKeyOfCode(ctx: Context, code: string, key: string): Promise<boolean> {
  const link = await findLinkByCode(ctx.db.read, hashToken(code))
  return link !== undefined && link.keyHash !== null && link.keyHash === hashToken(key)
}

// The payload of a push to the Bark app, as bark-server builds it from the same parameters, with the interruption level beside.
// It is never larger than APNs accepts: after encryption, if the phone wants it.
import { LIMITS } from '../../contract/limits.ts'
import { type BarkEncryption, encryptedForBark } from '../../domain/doors/bark/encryption.ts'
import { type BarkParameters, EMPTY_MESSAGE, isDeletion } from '../../domain/doors/bark/parameters.ts'
import { randomText } from '../../runtime/ids.ts'
import { jsonBytes, longestPrefix } from './fit.ts'

const CATEGORY = 'myNotificationCategory'
// No file of the app has this name, so iOS plays its own sound.
const DEFAULT_SOUND = '1107'

export function barkPayload(parameters: BarkParameters): object {
  const { title, subtitle, body, sound, aps: _, device_key: __, ...others } = parameters
  const { group, level } = others
  if (isDeletion(parameters)) return { aps: { 'content-available': 1, 'mutable-content': 1 }, ...others }
  const isEmpty = !title && !subtitle && !body
  return {
    aps: {
      alert: {
        title: title || undefined,
        subtitle: subtitle || undefined,
        body: isEmpty ? EMPTY_MESSAGE : body || undefined,
      },
      sound: soundOf(sound),
      category: CATEGORY,
      'mutable-content': 1,
      'thread-id': group || undefined,
      'interruption-level': interruptionOf(level),
    },
    ...others,
  }
}

const soundOf = (sound: string | undefined): string => {
  if (!sound) return DEFAULT_SOUND
  return sound.endsWith('.caf') ? sound : `${sound}.caf`
}

// Of a critical alert, the app sets level and volume itself.
const INTERRUPTIONS: Record<string, string> = { passive: 'passive', active: 'active', timesensitive: 'time-sensitive' }
const interruptionOf = (level: string | undefined): string | undefined => INTERRUPTIONS[level?.toLowerCase() ?? '']

// The parameters that go out, shortened until what `bytesOf` measures fits.
export function fittedForBark(
  parameters: BarkParameters,
  encryption: BarkEncryption | undefined,
  bytesOf: (sent: BarkParameters) => number = (sent) => jsonBytes(barkPayload(sent)),
): BarkParameters {
  const sealed = (open: BarkParameters) => (encryption ? encryptedForBark(encryption, open, randomText) : open)
  const fits = (open: BarkParameters) => bytesOf(sealed(open)) <= LIMITS.push.maxPayloadBytes
  return sealed(fits(parameters) ? parameters : shortened(parameters, fits))
}

// What a message keeps last.
const KEPT = ['title', 'body', 'id', 'level', 'volume', 'sound', 'call', 'url', 'group', 'icon', 'image', 'subtitle']
const ELLIPSIS = '…'
const OPENING_CHARS = 100

function shortened(parameters: BarkParameters, fits: (open: BarkParameters) => boolean): BarkParameters {
  const { body = '' } = parameters
  const opening = body.length > OPENING_CHARS ? longestPrefix(body, OPENING_CHARS) + ELLIPSIS : body
  const others = Object.keys(parameters).filter((name) => !KEPT.includes(name))
  let left: BarkParameters = { ...parameters, title: longestPrefix(parameters.title ?? '', 4 * OPENING_CHARS) }
  for (const name of ['markdown', ...others, ...KEPT.slice(6).reverse()]) {
    if (fits({ ...left, body: opening })) break
    left = without(left, name)
  }
  if (fits(left)) return left
  let [shortest, tooLong] = [0, body.length]
  const cut = (units: number) => ({
    ...left,
    body:
      body
        .slice(0, units)
        .toWellFormed()
        .replace(/\uFFFD$/, '') + ELLIPSIS,
  })
  while (tooLong - shortest > 1) {
    const middle = Math.floor((shortest + tooLong) / 2)
    if (fits(cut(middle))) shortest = middle
    else tooLong = middle
  }
  return cut(shortest)
}

const without = (parameters: BarkParameters, name: string): BarkParameters =>
  Object.fromEntries(Object.entries(parameters).filter(([other]) => other !== name))

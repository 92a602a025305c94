// The payload of a push to the Bark app, as bark-server builds it from the same parameters, with the interruption level beside.
// It is never larger than APNs accepts: after encryption, if the phone wants it.
import { LIMITS } from '../../contract/limits.ts'
import { type BarkEncryption, encryptedForBark, sizedForBark } from '../../domain/doors/bark/encryption.ts'
import { type BarkParameters, EMPTY_MESSAGE, isDeletion } from '../../domain/doors/bark/parameters.ts'
import { randomText } from '../../runtime/ids.ts'
import { jsonBytes, longestPrefix, prefix } from './fit.ts'

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

// The parameters that go out, shortened until the push fits.
export function fittedForBark(parameters: BarkParameters, encryption: BarkEncryption | undefined): BarkParameters {
  const fits = (open: BarkParameters) => {
    const sent = encryption ? sizedForBark(encryption, open) : open
    return jsonBytes(barkPayload(sent)) <= LIMITS.push.maxPayloadBytes
  }
  const fitting = fits(parameters) ? parameters : shortened(parameters, fits)
  return encryption ? encryptedForBark(encryption, fitting, randomText) : fitting
}

// What a message keeps last.
const KEPT = ['title', 'body', 'id', 'level', 'volume', 'sound', 'call', 'url', 'group', 'icon', 'image', 'subtitle']
const ALWAYS_KEPT = 6
const ELLIPSIS = '…'
const OPENING_CHARS = 100

// First as few members as possible are left out, so that the opening of the body fits; then the body is cut.
function shortened(parameters: BarkParameters, fits: (open: BarkParameters) => boolean): BarkParameters {
  const { title = '', body = '' } = parameters
  const opening = body.length > OPENING_CHARS ? longestPrefix(body, OPENING_CHARS) + ELLIPSIS : body
  const others = Object.keys(parameters).filter((name) => !KEPT.includes(name) && name !== 'markdown')
  const expendable = ['markdown', ...others, ...KEPT.slice(ALWAYS_KEPT).reverse()]
  const whole: BarkParameters = { ...parameters, title: longestPrefix(title, 4 * OPENING_CHARS) }
  const leftOut = fewest(expendable.length, (count) =>
    fits({ ...without(whole, expendable.slice(0, count)), body: opening }),
  )
  const left = without(whole, expendable.slice(0, leftOut))
  if (fits(left)) return left
  const cut = (units: number) => ({ ...left, body: prefix(body, units) + ELLIPSIS })
  return cut(body.length - fewest(body.length, (count) => fits(cut(body.length - count))))
}

// The smallest number up to `most` for which it holds; `most` if for none.
function fewest(most: number, holds: (count: number) => boolean): number {
  let [below, enough] = [-1, most]
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2)
    if (holds(middle)) enough = middle
    else below = middle
  }
  return enough
}

const without = (parameters: BarkParameters, names: string[]): BarkParameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))

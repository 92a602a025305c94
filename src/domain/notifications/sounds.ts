// The sounds that a sender can ask for, and what the apps of other services call them.
import type { NotificationInput } from '../../contract/notifications/notification.ts'

export type NotificationSound = NonNullable<NotificationInput['sound']>

const FILE = 'file:'
const FILE_NAME = /^[A-Za-z0-9_-]{1,64}$/

// For our own app: the name of a file in it, or Apple's word for the default. Undefined: no sound.
export function apnsSoundOf(sound: NotificationSound | undefined): string | undefined {
  if (sound === undefined || sound === 'default') return 'default'
  if (sound === 'none') return undefined
  return `${sound.startsWith(FILE) ? sound.slice(FILE.length) : sound}.caf`
}

const BARK_SOUNDS: Record<string, string> = {
  chime: 'chime',
  bell: 'bell',
  ding: 'glass',
  buzz: 'telegraph',
  notification: 'newmail',
  success: 'paymentsuccess',
  warning: 'suspense',
  alert: 'alarm',
  siren: 'alarm',
  none: 'silence',
}

export const BARK_SILENCE = BARK_SOUNDS.none

// Undefined: the app's own.
export const barkSoundOf = (sound: NotificationSound | undefined): string | undefined =>
  sound?.startsWith(FILE) ? sound.slice(FILE.length) : sound && BARK_SOUNDS[sound]

// `siren` is the alarm of Bark that rings on, which senders ask for by `call`.
export function soundFromBark(name: string | undefined, rings: boolean): NotificationSound | undefined {
  const plain = name?.replace(/\.caf$/, '')
  if (!plain || plain === '1107') return undefined
  if (plain === BARK_SOUNDS.alert) return rings ? 'siren' : 'alert'
  return ourName(BARK_SOUNDS, plain) ?? fileSound(plain)
}

const PUSHOVER_SOUNDS: Record<string, NotificationSound> = {
  pushover: 'default',
  magic: 'chime',
  bike: 'bell',
  cashregister: 'ding',
  mechanical: 'buzz',
  incoming: 'notification',
  classical: 'success',
  falling: 'warning',
  bugle: 'alert',
  siren: 'siren',
  spacealarm: 'siren',
  persistent: 'siren',
  alien: 'siren',
  none: 'none',
  vibrate: 'none',
}

export const soundFromPushover = (name: string | undefined): NotificationSound | undefined =>
  name ? (PUSHOVER_SOUNDS[name] ?? fileSound(name)) : undefined

const ourName = (names: Record<string, string>, theirs: string): NotificationSound | undefined =>
  Object.entries(names).find(([, name]) => name === theirs)?.[0]

const fileSound = (name: string): NotificationSound | undefined => (FILE_NAME.test(name) ? `${FILE}${name}` : undefined)

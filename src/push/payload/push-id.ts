// The name of one push to one device, the same at every try: a push that arrives twice can be told from two pushes.
import { hash } from 'node:crypto'
import type { NotificationId } from '../../domain/notifications/notification.ts'

// Ours alone, and fixed for ever.
const NAMESPACE = uuidBytes('0ca984a4-353f-46cd-83d1-dd1cec438d93')

// `repeat` counts the pushes of an alert that repeats until acknowledged; the first push is 0. The device id comes
// last because it is the one part that may hold any character.
export function pushId(notificationId: NotificationId, deviceId: string, repeat: number): string {
  return uuidV5(NAMESPACE, `${notificationId}/${repeat}/${deviceId}`)
}

// RFC 9562, 5.5.
export function uuidV5(namespace: Buffer, name: string): string {
  const hex = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]))
  const variant = (0x8 | (Number.parseInt(hex.charAt(16), 16) & 0x3)).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

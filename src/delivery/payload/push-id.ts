// The name of one push to one device, the same at every try: a push that arrives twice can be told from two pushes.
import { createHash } from 'node:crypto'
import type { NotificationId } from '../../domain/notification.ts'

// Ours alone, and fixed for ever.
const NAMESPACE = '0ca984a4-353f-46cd-83d1-dd1cec438d93'

// `repeat` counts the pushes of an alert that repeats until acknowledged; the first push is 0. The device id comes
// last because it is the one part that may hold any character.
export function pushId(notificationId: NotificationId, deviceId: string, repeat: number): string {
  return uuidV5(NAMESPACE, `${notificationId}/${repeat}/${deviceId}`)
}

// RFC 9562, 5.5.
export function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1').update(namespace.replaceAll('-', ''), 'hex').update(name).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

// The id of one push to one device. It is the same for every attempt, so that a device can drop a duplicate.
import { hash } from 'node:crypto'
import type { DeviceId } from '../../domain/devices.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { ActivityPush } from '../../domain/push.ts'

// Must never change: a retry after an upgrade must have the id of the first attempt.
const NAMESPACE = uuidBytes('0ca984a4-353f-46cd-83d1-dd1cec438d93')

// The device id comes last because it is the only part that may hold any character.
export function notificationPushId(notificationId: NotificationId, deviceId: string, repeat: number): string {
  return uuidV5(NAMESPACE, `${notificationId}/${repeat}/${deviceId}`)
}

export function activityPushId({ activity, timestamp, event }: ActivityPush, deviceId: DeviceId): string {
  return uuidV5(uuidBytes(activity.id), `${timestamp}/${event}/${deviceId}`)
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

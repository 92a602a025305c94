// Ids in paths and bodies, as branded types: the compiler refuses the id of one noun where another's is wanted.
// domain takes the types from here, so a validated parameter needs no cast.
import { Type } from 'typebox'
import { LIMITS } from './limits.ts'

// The upper bound excludes integers that no 64-bit column holds, such as 1e300.
const integerId = (description: string) => ({
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
})

export type UserId = string & { readonly of: 'user' }

export type NotificationId = number & { readonly of: 'notification' }
export const NotificationId = Type.Unsafe<NotificationId>(integerId('The id of a notification.'))

export type ScheduleId = number & { readonly of: 'schedule' }
export const ScheduleId = Type.Unsafe<ScheduleId>(integerId('The id of a schedule.'))

export type DeviceId = string & { readonly of: 'device' }
export const DeviceId = Type.Unsafe<DeviceId>({
  type: 'string',
  pattern: `^[^\\p{C}\\p{Zl}\\p{Zp}/]{1,${LIMITS.device.maxIdChars}}$`,
  description: `1 to ${LIMITS.device.maxIdChars} printable characters without a slash`,
  examples: ['7F3C0A51-phone'],
})

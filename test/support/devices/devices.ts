// Device registrations with unique push addresses.
import { randomBytes } from 'node:crypto'
import type { DeviceInput } from '../../../src/contract/devices.ts'

export const newPushToken = () => randomBytes(32).toString('hex')

export const newWebPush = (): NonNullable<DeviceInput['web_push']> => ({
  endpoint: `https://push.example.org/${newPushToken()}`,
  keys: {
    p256dh: Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  },
})

export const phone = (apns: Partial<NonNullable<DeviceInput['apns']>> = {}): DeviceInput => ({
  name: 'Phone',
  platform: 'ios',
  apns: { device_token: newPushToken(), environment: 'production', ...apns },
})

export const browser = (): DeviceInput => ({ name: 'Browser', platform: 'web', web_push: newWebPush() })

// Listens to the event stream and has no push address.
export const terminal: DeviceInput = { name: 'Terminal', platform: 'macos' }

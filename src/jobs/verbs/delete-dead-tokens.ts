// After pushes to several devices at once: addresses that turned out to be dead are forgotten, and their devices say why.
import type { Instant } from '../../domain/instant.ts'
import type { Outcome } from '../../push/channels/channel.ts'
import { recordPush } from '../../store/devices.ts'
import type { Writer } from '../../store/engine/database.ts'
import { type DeviceToken, deletePushTokenIfRegisteredBefore } from '../../store/push-tokens.ts'

export type Pushed = { address: DeviceToken; outcome: Outcome }

export async function forgetTheGone(tx: Writer, pushed: Pushed[], now: Instant): Promise<void> {
  for (const { address, outcome } of pushed) {
    if (outcome.result !== 'device_gone') continue
    await recordPush(tx, address.userId, address.deviceId, { at: now, error: outcome.reason })
    await deletePushTokenIfRegisteredBefore(tx, address, outcome.goneAt)
  }
}

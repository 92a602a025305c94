// After pushes to several devices: deletes the tokens that turned out to be dead, and records why on their devices.
import type { PushAddress } from '../../domain/devices.ts'
import type { Instant } from '../../domain/instant.ts'
import type { PushResult } from '../../domain/push.ts'
import { recordPush } from '../../store/devices/devices.ts'
import { deletePushTokenIfRegisteredBefore } from '../../store/devices/push-tokens.ts'
import type { Writer } from '../../store/engine/database.ts'

export type Pushed = { address: PushAddress; result: PushResult }

export async function deleteDeadTokens(tx: Writer, pushed: Pushed[], now: Instant): Promise<void> {
  for (const { address, result } of pushed) {
    if (result.result !== 'device_gone') continue
    await recordPush(tx, address.userId, address.deviceId, { at: now, error: result.reason })
    await deletePushTokenIfRegisteredBefore(tx, address, result.goneAt)
  }
}

// Asks APNs whether it takes our key, by a push to a device that does not exist. On a connection of its own: refused pushes
// make APNs close a connection sooner, and those of the server must not suffer.
import type { PushResult } from '../../../domain/push.ts'
import { newUuid } from '../../../runtime/ids.ts'
import { type ApnsOptions, openApns } from './apns.ts'
import type { ApnsEnvironment } from './request.ts'

const NO_DEVICE = '0'.repeat(64)
const DEADLINE_MS = 4000

export async function probeApns(options: ApnsOptions, environment: ApnsEnvironment): Promise<PushResult> {
  const channel = openApns(options)
  try {
    return await channel.push({
      environment,
      token: NO_DEVICE,
      type: 'background',
      id: newUuid(),
      priority: 5,
      payload: '{"aps":{"content-available":1}}',
      deadlineMs: DEADLINE_MS,
    })
  } finally {
    await channel.close()
  }
}

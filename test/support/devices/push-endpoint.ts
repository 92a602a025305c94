// An endpoint of UnifiedPush in the database, as if the ntfy app of the device had asked for it.
import { randomUUID } from 'node:crypto'
import { deviceId } from '../../../src/domain/devices.ts'
import { insertEndpoint } from '../../../src/store/apps/push-endpoints.ts'
import type { TestApp, TestUser } from '../app.ts'

export async function addPushEndpoint({ app }: TestApp, { userId }: TestUser, device: string): Promise<string> {
  const { db, clock } = app.ctx
  const [id, now] = [randomUUID(), clock.now()]
  const times = { createdAt: now, seenAt: now, refilledAt: now, endedAt: null, lastMessageAt: null }
  const sender = { fingerprint: null, subject: null, isPinned: false }
  const counts = { tokens: 1, day: 0, messagesToday: 0 }
  const endpoint = {
    id,
    nameHash: id,
    userId,
    deviceId: deviceId(device),
    prefix: 'upAbCd',
    ...times,
    ...sender,
    ...counts,
  }
  await db.transact((tx) => insertEndpoint(tx, endpoint))
  return id
}

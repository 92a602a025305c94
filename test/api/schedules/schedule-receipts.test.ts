// Scheduled alerts: each send opens a receipt, like an alert that is sent immediately.
import { expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { useTestApp } from '../../support/app.ts'
import { DAILY, schedulesOf } from '../../support/schedules.ts'

const app = useTestApp()
const { later, plan, read, inbox, pass } = schedulesOf(app)

test('a scheduled alert repeats until it is acknowledged, and the key that scheduled it can read its receipt', async () => {
  const user = await app.addUser()
  const key = { token: await app.addKey(user, { permissions: { notifications: 'schedule' } }) }
  const acknowledge = { repeat_seconds: 30, expire_seconds: 600 }
  const id = await plan(key, { send_at: later(60), acknowledge, tags: ['disk'] })
  await pass(60)
  const { notification_id } = await read(key, id)
  await pass(30)
  const receipt = await app.get(`/notifications/receipts/${notification_id}`, key.token)
  expect(receipt.body).toMatchObject({ status: 'active', repeats_sent: 1, tags: ['disk'] })
  await app.post(`/notifications/${notification_id}/answer`, { action_id: 'pw_ack' }, user.token)
  const ended = await app.get(`/notifications/receipts/${notification_id}`, key.token)
  expect(ended.body).toMatchObject({ status: 'acknowledged', action_id: 'pw_ack' })
})

test('at the limit of active alerts, a scheduled one is sent without a receipt and its series continues', async () => {
  const user = await app.addUser()
  const id = await plan(user, { recurrence: DAILY, acknowledge: {} })
  const waiting = { title: 'T', body: 'B', acknowledge: { expire_seconds: LIMITS.acknowledge.expireSeconds.max } }
  const { send_at } = await read(user, id)
  await pass((Date.parse(send_at) - app.clock.now()) / 1000 - 60)
  for (let sent = 0; sent < LIMITS.receipt.maxOpen; sent++) await app.post('/notifications', waiting, user.token)
  await pass(60)
  const series = await read(user, id)
  expect(series).toMatchObject({ status: 'scheduled', occurrence: 1 })
  expect(await inbox(user)).toHaveLength(LIMITS.receipt.maxOpen + 1)
  expect((await app.get(`/notifications/receipts/${series.notification_id}`, user.token)).status).toBe(404)
  const { items } = (await app.get(`/notifications/${series.notification_id}/timeline`, user.token)).body
  expect(items).toContainEqual(expect.objectContaining({ event: 'no_receipt' }))
})

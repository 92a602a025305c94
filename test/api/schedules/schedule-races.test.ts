// Concurrent operations on schedules, on all nodes.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sendSchedule } from '../../../src/operations/schedules/send-due.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { deleteJob, type Job } from '../../../src/store/jobs.ts'
import type { TestUser } from '../../support/app.ts'
import { claimAnyJobs } from '../../support/database/claim-jobs.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { setUsed } from '../../support/usage.ts'

const nodes = useTestNodes()
const later = (seconds: number) => new Date(nodes.first.clock.now() + seconds * 1000).toISOString()
const post = (user: { token: string }, members: object, node = nodes.first) =>
  node.post('/notifications/scheduled', { title: 'T', body: 'B', ...members }, user.token)
const inbox = async ({ token }: TestUser) => (await nodes.first.get('/notifications', token)).body.items
const used = async ({ token }: TestUser) => (await nodes.first.get('/auth/me', token)).body.notifications_used
const all = async ({ token }: TestUser) =>
  (await nodes.first.get('/notifications/scheduled?status=all&limit=100', token)).body.items
const runJobsOnAllNodes = () => Promise.all(nodes.all.map((node) => node.runDueJobs()))

describe('R20 the limit', () => {
  test('of 75 concurrent schedules exactly 25 are pending, and each refusal has the code of the limit', async () => {
    const user = await nodes.first.addUser()
    const send_at = later(3600)
    const answers = await nodes.atOnce(LIMITS.schedule.maxPending + 50, (node) => post(user, { send_at }, node))
    const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)
    expect(codes).toEqual(Array(50).fill('scheduled_notification.limit_exceeded'))
    expect(await all(user)).toHaveLength(LIMITS.schedule.maxPending)
  })
})

describe('sending', () => {
  test('R15 25 schedules due at once on all nodes: 25 notifications, 25 units of quota, none left', async () => {
    const user = await nodes.first.addUser()
    for (let count = 0; count < 25; count++) await post(user, { send_at: later(60) })
    nodes.first.advanceSeconds(60)
    await runJobsOnAllNodes()
    expect([(await inbox(user)).length, await used(user)]).toEqual([25, 25])
    expect((await all(user)).map(({ status }: { status: string }) => status)).toEqual(Array(25).fill('sent'))
  })

  test('with one unit of quota left, one of ten is sent and nine fail', async () => {
    const user = await nodes.first.addUser('free')
    for (let count = 0; count < 10; count++) await post(user, { send_at: later(60) })
    await setUsed(nodes.first, user, 'notifications', 499)
    nodes.first.advanceSeconds(60)
    await runJobsOnAllNodes()
    const statuses = (await all(user)).map(({ status }: { status: string }) => status).sort()
    expect(statuses).toEqual([...Array(9).fill('failed'), 'sent'])
    expect([(await inbox(user)).length, await used(user)]).toEqual([1, 500])
  })

  test('concurrent with canceling: a schedule is either sent or canceled, never both', async () => {
    const user = await nodes.first.addUser()
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push((await post(user, { send_at: later(60) })).body.id)
    nodes.first.advanceSeconds(60)
    const cancels = nodes.atOnce(20, (node, index) => node.del(`/notifications/scheduled/${ids[index]}`, user.token))
    await Promise.all([cancels, runJobsOnAllNodes()])
    await runJobsOnAllNodes()
    for (const { status } of await cancels) expect(status).toBe(204)
    // The DELETE removed the record of one that was sent just before.
    const canceled = (await all(user)).filter(({ status }: { status: string }) => status === 'canceled')
    expect(canceled.length + (await inbox(user)).length).toBe(20)
    expect(await used(user)).toBe((await inbox(user)).length)
  })

  test('concurrent with deleting its key: no schedule stays pending', async () => {
    const user = await nodes.first.addUser()
    for (let round = 0; round < 5; round++) {
      const permissions = { notifications: 'schedule' }
      const { id, key } = (await nodes.first.post('/integrations/keys', { name: 'K', permissions }, user.token)).body
      expect((await post({ token: key }, { send_at: later(3600) })).status).toBe(201)
      const calls = nodes.atOnce(8, (node, index) =>
        index === 4
          ? node.del(`/integrations/keys/${id}`, user.token)
          : post({ token: key }, { send_at: later(3600) }, node),
      )
      for (const { status } of await calls) expect([201, 204, 401]).toContain(status)
      const schedules = await all(user)
      expect(schedules.length).toBeGreaterThan(round)
      for (const { status, failure_reason } of schedules) {
        expect([status, failure_reason]).toEqual(['failed', 'key_revoked'])
      }
    }
  })
})

describe('R17 a paused node', () => {
  // Claims the job and stops, like a process paused at this point.
  async function claim(user: TestUser): Promise<Job<'send-schedule'>> {
    const jobs = await nodes.first.app.ctx.db.transact((tx) => claimAnyJobs(tx, 100, nodes.first.clock.now()))
    const mine = jobs.find(({ payload }) => payload.userId === user.userId)
    if (!mine) throw new Error('nothing to claim')
    return mine as Job<'send-schedule'>
  }

  test('sends nothing when it continues after its lease has expired and another node has sent', async () => {
    const user = await nodes.first.addUser()
    await post(user, { recurrence: { cron: '0 * * * *', timezone: 'UTC' } })
    await runJobsOnAllNodes()
    const before = (await inbox(user)).length
    nodes.first.advanceSeconds(3600)
    const claimed = await claim(user)
    nodes.first.advanceSeconds(16)
    await runJobsOnAllNodes()
    expect(await inbox(user)).toHaveLength(before + 1)

    const { ctx } = nodes.first.app
    const result = await sendSchedule(ctx, claimed)
    await ctx.db.transact(async (tx) => {
      expect(await deleteJob(tx, claimed)).toBe(false)
      // Even without the fencing token: the schedule has moved on.
      await result.record?.(tx)
    })
    expect(await inbox(user)).toHaveLength(before + 1)
  })

  test('a unique key refuses a second notification for the same occurrence', async () => {
    const user = await nodes.first.addUser()
    const { id } = (await post(user, { send_at: later(60) })).body
    nodes.first.advanceSeconds(60)
    await runJobsOnAllNodes()
    const { db } = nodes.first.app.ctx
    const again = db.transact((tx) =>
      tx.execute(sql`insert into schedule_sends (schedule_id, due_at, notification_id)
        select schedule_id, due_at, notification_id from schedule_sends where schedule_id = ${id}`),
    )
    await expect(again).rejects.toThrow(/unique/i)
  })
})

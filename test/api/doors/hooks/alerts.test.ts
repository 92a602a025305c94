// Alerts that last: they fire, repeat until acknowledged, and end. Runs of CI as live activities.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../../src/store/engine/sql.ts'
import { useTestApp } from '../../../support/app.ts'
import { ALERTMANAGER } from '../../../support/hooks/alerts.ts'
import { GITHUB, workflowRun } from '../../../support/hooks/code.ts'
import { addHook, type TestHook } from '../../../support/hooks/hook.ts'
import { KUMA } from '../../../support/hooks/monitors.ts'

const app = useTestApp()

const inbox = async ({ user }: TestHook) => (await app.get('/notifications', user.token)).body.items
const receipt = async ({ user }: TestHook, id: number) =>
  (await app.get(`/notifications/receipts/${id}`, user.token)).body

async function report(hook: TestHook, { body, headers }: { body: object; headers?: Record<string, string> }) {
  const { status, text } = await hook.send(body, headers)
  expect([status, text]).toEqual([200, text])
  return JSON.parse(text)
}

async function withdrawals({ user }: TestHook): Promise<number[]> {
  const jobs = await app.app.ctx.db.read.all<{ payload: string }>(
    sql`select payload from jobs where kind = 'withdraw-banners'`,
  )
  return jobs
    .map(({ payload }) => JSON.parse(payload))
    .flatMap(({ userId, ids }) => (userId === user.userId ? ids : []))
}

describe('an alert that ends', () => {
  test('cancels its receipt, withdraws its banner and replaces it by a passive one', async () => {
    const hook = await addHook(app, { options: { acknowledge_from: 'critical' } })
    const {
      notification_ids: [fired],
    } = await report(hook, { body: ALERTMANAGER.firing })
    expect(await receipt(hook, fired)).toMatchObject({ status: 'active' })
    const {
      notification_ids: [ended],
    } = await report(hook, { body: ALERTMANAGER.resolved })
    expect(await receipt(hook, fired)).toMatchObject({ status: 'canceled', cancel_reason: 'superseded' })
    expect(await withdrawals(hook)).toContain(fired)
    const [newest, before] = await inbox(hook)
    expect([newest, before]).toMatchObject([
      { id: ended, title: 'Resolved: 2 × TankLow', level: 'passive', pushed: true },
      { id: fired, read_at: expect.any(String) },
    ])
    expect(newest).not.toHaveProperty('read_at')
  })

  test('quiet: the end is in the inbox as read and not pushed', async () => {
    const hook = await addHook(app, { options: { resolved: 'quiet' } })
    await report(hook, { body: KUMA.down })
    await report(hook, { body: KUMA.up })
    expect(await inbox(hook)).toMatchObject([
      { title: 'Shop is up', pushed: false, read_at: expect.any(String) },
      { title: 'Shop is down', read_at: expect.any(String) },
    ])
    expect((await app.get('/notifications/unread-count', hook.user.token)).body).toEqual({ count: 0 })
  })

  test('drop: there is no entry of the end, and the alert stays unread', async () => {
    const hook = await addHook(app, { options: { resolved: 'drop', acknowledge_from: 'time-sensitive' } })
    const {
      notification_ids: [fired],
    } = await report(hook, { body: KUMA.down })
    expect(await report(hook, { body: KUMA.up })).toMatchObject({ result: 'dropped' })
    expect(await receipt(hook, fired)).toMatchObject({ status: 'canceled' })
    expect(await withdrawals(hook)).toEqual([fired])
    const [entry, ...others] = await inbox(hook)
    expect([entry.id, entry.read_at, others]).toEqual([fired, undefined, []])
  })

  test('one that fires again is a new alert; a repeated delivery of its end does not end it', async () => {
    const hook = await addHook(app, { options: { acknowledge_from: 'active' } })
    const end = { body: KUMA.up, headers: { 'idempotency-key': 'end' } }
    await report(hook, { body: KUMA.down })
    await report(hook, end)
    const {
      notification_ids: [again],
    } = await report(hook, { body: KUMA.down })
    expect(await report(hook, end)).toMatchObject({ result: 'duplicate' })
    expect(await receipt(hook, again)).toMatchObject({ status: 'active' })
  })

  test('a repeat of Alertmanager supersedes the receipt, and both end together', async () => {
    const hook = await addHook(app, { options: { acknowledge_from: 'critical' } })
    const {
      notification_ids: [first],
    } = await report(hook, { body: ALERTMANAGER.firing })
    const {
      notification_ids: [second],
    } = await report(hook, { body: ALERTMANAGER.firing })
    expect([await receipt(hook, first), await receipt(hook, second)]).toMatchObject([
      { status: 'canceled' },
      { status: 'active' },
    ])
    await report(hook, { body: ALERTMANAGER.resolved })
    expect(await receipt(hook, second)).toMatchObject({ status: 'canceled' })
    expect((await inbox(hook)).map(({ read_at }: { read_at?: string }) => read_at !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  test('other alerts and other hooks go on', async () => {
    const options = { acknowledge_from: 'active' }
    const hook = await addHook(app, { options })
    const neighbor = await addHook(app, { options }, hook.user)
    const {
      notification_ids: [own],
    } = await report(hook, { body: KUMA.port })
    const {
      notification_ids: [same],
    } = await report(neighbor, { body: KUMA.down })
    await report(hook, { body: KUMA.up })
    expect([await receipt(hook, own), await receipt(hook, same)]).toMatchObject([
      { status: 'active' },
      { status: 'active' },
    ])
  })
})

test('an alert is sent without acknowledgement when the account has its largest number of them', async () => {
  const hook = await addHook(app, { options: { acknowledge_from: 'critical' } })
  const alert = { title: 'T', body: 'B', level: 'critical', acknowledge: {} }
  for (let i = 0; i < 25; i++) await app.post('/notifications', alert, hook.user.token)
  const {
    notification_ids: [id],
  } = await report(hook, { body: ALERTMANAGER.firing })
  expect(await receipt(hook, id)).toMatchObject({ code: 'notification_receipt.not_found' })
  expect(await hook.newest()).toMatchObject({ title: '2 × TankLow', level: 'critical' })
})

describe('runs of CI', () => {
  test('a success is told after a failure, and once', async () => {
    const hook = await addHook(app)
    expect(await report(hook, GITHUB.runSucceeded)).toMatchObject({ result: 'dropped' })
    const ids = (delivery: string) => ({
      ...GITHUB.runSucceeded,
      headers: { ...GITHUB.runSucceeded.headers, 'x-github-delivery': delivery },
    })
    await report(hook, GITHUB.runFailed)
    expect(await report(hook, ids('2'))).toMatchObject({ result: 'sent' })
    expect(await hook.newest()).toMatchObject({ title: 'Build fixed on main', level: 'passive' })
    expect(await report(hook, ids('3'))).toMatchObject({ result: 'dropped' })
  })

  test('every success is told if the events say so', async () => {
    const hook = await addHook(app, { options: { events: ['workflow_run.success'] } })
    expect(await report(hook, GITHUB.runSucceeded)).toMatchObject({ result: 'sent' })
    expect(await hook.newest()).toMatchObject({ title: 'Build succeeded on main' })
    expect(await report(hook, GITHUB.runFailed)).toMatchObject({ result: 'dropped' })
  })

  test('as: activity starts and ends one, without a notification', async () => {
    const hook = await addHook(app, { options: { as: 'activity' } })
    const slug = 'gh-acme-rocket-900-main'
    const activity = async () => (await app.get(`/activities/${slug}`, hook.user.token)).body
    expect(await report(hook, GITHUB.runRequested)).toMatchObject({ result: 'activity', activity_slug: slug })
    expect(await activity()).toMatchObject({ state: 'ongoing', name: 'Build on main', content: { state: 'Running' } })
    await report(hook, workflowRun('in_progress', null))
    await report(hook, GITHUB.runFailed)
    expect(await activity()).toMatchObject({
      state: 'ended',
      content: { state: 'Failed', subtitle: 'Tighten the bolts' },
    })
    expect(await inbox(hook)).toEqual([])
  })

  test('as: activity without the permission tells the failure by a notification', async () => {
    const user = await app.addUser()
    const key = { name: 'K', permissions: { notifications: 'send' } }
    const { id } = (await app.post('/integrations/keys', key, user.token)).body
    const hook = await addHook(app, { key_id: id, options: { as: 'activity' } }, user)
    expect(await report(hook, GITHUB.runRequested)).toMatchObject({
      result: 'dropped',
      detail: expect.stringContaining('activities:manage'),
    })
    expect(await report(hook, GITHUB.runFailed)).toMatchObject({ result: 'sent' })
    expect(await hook.newest()).toMatchObject({ title: 'Build failed on main' })
  })
})

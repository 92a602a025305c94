// POST /demo/run: a scripted minute on the caller's own devices, which leaves nothing behind.
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database/database.ts'
import { addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'

const app = usePushApp()
let user: TestUser
beforeEach(async () => {
  // The endpoint allows three calls a minute.
  app.advanceSeconds(60)
  user = await app.addUser('free')
})

const run = (body?: object, token = user.token) => app.post('/demo/run', body, token)

type Stage = { activities: string[]; widgets: string[]; notifications: string[] }

async function stage(node: Pick<TestApp, 'get'> = app, { token } = user): Promise<Stage> {
  const items = async (path: string) => (await node.get(path, token)).body.items
  return {
    activities: (await items('/activities')).map(
      ({ slug, state, content }: { slug: string; state: string; content: { state?: string } }) =>
        `${slug.replace(/-\w+$/, '')} ${state} ${content.state ?? ''}`.trim(),
    ),
    widgets: (await items('/widgets')).map(
      ({ slug, content }: { slug: string; content: { value: number } }) =>
        `${slug.replace(/-\w+$/, '')} ${content.value}`,
    ),
    notifications: (await items('/notifications')).map(({ title }: { title: string }) => title),
  }
}

const EMPTY: Stage = { activities: [], widgets: [], notifications: [] }

// Every step of the script is due at a multiple of this, or soon after one.
const STEP_SECONDS = 4

async function play(node: Pick<TestApp, 'advanceSeconds' | 'runDueJobs'>, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= STEP_SECONDS) {
    node.advanceSeconds(Math.min(left, STEP_SECONDS))
    await node.runDueJobs()
  }
}

describe('202', () => {
  test('plays the whole script on the devices, deletes everything, and uses no quota', async () => {
    const phone = await addActivityPhone(app, { app, user })
    const browser = await addBrowser(app, { app, user })
    const answer = await run({ mode: 'auto' })
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({
      demo_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mode: 'auto',
      sequences: 4,
      total_steps: 7,
      estimated_duration_ms: 60_000,
    })
    expect(await stage()).toEqual({ ...EMPTY, activities: ['demo-build ongoing Linting'], widgets: ['demo-gauge 21'] })
    await play(app, 36)
    expect(await stage()).toEqual({
      activities: ['demo-build ongoing Testing', 'demo-tea ended Tea is ready'],
      widgets: ['demo-gauge 87'],
      notifications: ['Deploy the demonstration?'],
    })
    await play(app, 24)
    expect(await stage()).toEqual(EMPTY)
    const me = (await app.get('/auth/me', user.token)).body
    expect([me.live_activity_updates_used, me.widget_updates_used, me.notifications_used]).toEqual([0, 0, 0])
    const started = phone.pushes(phone.startToken).map(({ aps }) => aps.event)
    expect(started).toEqual(['start', 'start'])
    const shown = await browser.pushes()
    expect(shown.filter(({ type }) => type === 'activity').length).toBeGreaterThan(5)
    expect(shown.filter(({ type }) => type === 'notification')).toHaveLength(1)
    expect((await browser.screen()).badge).toBe(0)
  })

  test('with the default key, and without a body', async () => {
    expect((await run(undefined, user.defaultKey)).body.mode).toBe('auto')
  })

  test('a second run after the first; resources of the account with similar names stay unchanged', async () => {
    await app.post('/activities', { slug: 'demo-build', name: 'Mine' }, user.token)
    await run()
    await play(app, 60)
    expect((await run()).status).toBe(202)
    await play(app, 60)
    expect((await stage()).activities).toEqual(['demo ended'])
  })

  test('manual plays the next step with every call; an abandoned run ends after ten minutes', async () => {
    const ids = new Set<string>()
    for (const state of ['Linting', 'Building', 'Testing']) {
      app.advanceSeconds(30)
      ids.add((await run({ mode: 'manual' })).body.demo_id)
      expect((await stage()).activities[0]).toBe(`demo-build ongoing ${state}`)
    }
    expect(ids.size).toBe(1)
    app.advanceSeconds(600)
    await app.runDueJobs()
    expect(await stage()).toEqual(EMPTY)
  })

  test("a step that fails because the demo's activity was preempted leaves nothing behind", async () => {
    await run()
    for (let i = 1; i <= 5; i++) {
      await app.patch(`/activities/mine-${i}?upsert=true`, { state: 'ongoing', priority: 9 }, user.token)
    }
    expect((await stage()).activities).toContain('demo-build preempted Linting')
    await play(app, 60)
    expect((await stage()).activities.filter((activity) => activity.startsWith('demo'))).toEqual([])
    expect(await stage()).toMatchObject({ widgets: [], notifications: [] })
    expect((await run()).status).toBe(202)
  })

  test('resumes after a restart, and plays no step twice', async () => {
    const database = await createTestDatabase()
    const clock = createTestClock()
    const before = await startTestApp({}, database, { clock })
    const someone = await before.addUser()
    await before.post('/demo/run', {}, someone.token)
    await play(before, 12)
    await before.stop()
    const after = await startTestApp({}, database, { clock })
    await play(after, 16)
    expect(await stage(after, someone)).toMatchObject({
      widgets: ['demo-gauge 87'],
      notifications: ['Deploy the demonstration?'],
    })
    await play(after, 32)
    expect(await stage(after, someone)).toEqual(EMPTY)
    await after.stop()
    await database.drop()
  })
})

test('403 integration_key.default_key_required for another key', async () => {
  const key = await app.addKey(user, { permissions: { activities: 'manage' } })
  expectProblem(await run({}, key), 403, 'integration_key.default_key_required')
})

test('202 it sets none of the person’s own activities aside; scenes that have no room are left out', async () => {
  const slugs = ['a', 'b', 'c', 'd', 'e']
  for (const slug of slugs) {
    await app.post('/activities', { slug, name: slug }, user.token)
    await app.patch(`/activities/${slug}`, { state: 'ongoing', content: { template: 'generic' } }, user.token)
  }
  expect((await run()).status).toBe(202)
  for (let second = 0; second < 64; second += STEP_SECONDS) {
    await play(app, STEP_SECONDS)
    expect((await stage()).activities).toEqual(slugs.map((slug) => `${slug} ongoing`))
  }
  expect(await stage()).toMatchObject({ widgets: [], notifications: [] })
})

test('409 demo.conflict while one is running, with Retry-After; of 3 concurrent calls one is played', async () => {
  const answers = await Promise.all([run(), run(), run({ mode: 'manual' })])
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
  const refused = answers.find(({ status }) => status === 409)
  expect([refused?.body.code, refused?.headers.get('retry-after')]).toEqual([
    'demo.conflict',
    expect.stringMatching(/^(120|600)$/),
  ])
})

test('422 request.validation_failed for an unknown mode', async () => {
  expectProblem(await run({ mode: 'fast' }), 422, 'request.validation_failed')
})

test('R43 429 rate_limit.exceeded for a fourth within a minute', async () => {
  for (let count = 0; count < 3; count++) await run({ mode: 'fast' })
  expectProblem(await run(), 429, 'rate_limit.exceeded')
})

test('R43 the limit is one of the account: neither unknown tokens nor other accounts of its address use it up', async () => {
  const [ada, bob] = [await app.addUser(), await app.addUser()]
  const statusFor = async (token: string) => (await app.post('/demo/run', { mode: 'fast' }, token)).status
  for (let count = 0; count < 4; count++) expect(await statusFor('hla_unknown')).toBe(401)
  for (let count = 0; count < 3; count++) expect(await statusFor(bob.token)).toBe(422)
  expect([await statusFor(bob.token), await statusFor(ada.token)]).toEqual([429, 422])
})

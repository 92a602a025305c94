// When devices get a push for a changed widget: immediately in a quiet window, once at the end of a busy one, and never
// lost. The pushes themselves are tested in widget-reloads.test.ts.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Instant, toRfc3339 } from '../../../src/domain/instant.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, useTestApp } from '../../support/app.ts'
import { createTestDatabase, isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { createTestClock } from '../../support/fakes/test-clock.ts'

type PushState = { pushedAt: string | undefined; dueAt: string[] }

// When the widget was last pushed, and when its waiting pushes are due.
async function pushStateOf(app: TestApp, userId: string): Promise<PushState> {
  const { read } = app.app.ctx.db
  const widget = await read.first<{ id: string; last_pushed_at: Instant | null }>(
    sql`select id, last_pushed_at from widgets where user_id = ${userId}`,
  )
  const jobs = await read.all<{ payload: string; run_at: Instant }>(
    sql`select payload, run_at from jobs where kind = 'reload-widget' order by run_at`,
  )
  return {
    pushedAt: widget?.last_pushed_at ? secondsOf(widget.last_pushed_at) : undefined,
    dueAt: jobs.filter(({ payload }) => widget && payload.includes(widget.id)).map(({ run_at }) => secondsOf(run_at)),
  }
}

const secondsOf = (at: Instant) => toRfc3339(at).slice(11, 19)

async function addWidget(app: TestApp, options: { push_throttle?: number } = {}) {
  const user = await app.addUser()
  await app.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 0 }, ...options }, user.token)
  return {
    user,
    patch: (value: number) => app.patch('/widgets/w', { content: { value } }, user.token),
    state: () => pushStateOf(app, user.userId),
  }
}

describe.skipIf(sqliteSuffices())('R28: coalescing, with the default window of 15 seconds', () => {
  const app = useTestApp()
  // Every test starts at the next full hour, with no due jobs.
  beforeEach(async () => {
    app.advanceSeconds(3600 - ((app.clock.now() / 1000) % 3600))
    await app.runDueJobs()
  })
  const hour = () => toRfc3339(app.clock.now()).slice(11, 13)

  test('a new widget is not pushed: no device shows it yet', async () => {
    const { state } = await addWidget(app)
    expect(await state()).toEqual({ pushedAt: undefined, dueAt: [] })
  })

  test('the first change in a quiet window is due immediately', async () => {
    const { patch, state } = await addWidget(app)
    await patch(1)
    expect(await state()).toEqual({ pushedAt: undefined, dueAt: [`${hour()}:00:00`] })
    await app.runDueJobs()
    expect(await state()).toEqual({ pushedAt: `${hour()}:00:00`, dueAt: [] })
  })

  test('three more patches within the window cause one more push, at its end', async () => {
    const { patch, state } = await addWidget(app)
    await patch(1)
    await app.runDueJobs()
    for (const value of [2, 3, 4]) {
      app.advanceSeconds(4)
      await patch(value)
      await app.runDueJobs()
    }
    expect(await state()).toEqual({ pushedAt: `${hour()}:00:00`, dueAt: [`${hour()}:00:15`] })
    app.advanceSeconds(2)
    await app.runDueJobs()
    expect((await state()).pushedAt).toBe(`${hour()}:00:00`)
    app.advanceSeconds(1)
    await app.runDueJobs()
    expect(await state()).toEqual({ pushedAt: `${hour()}:00:15`, dueAt: [] })
  })

  test('the push at the end starts the next window', async () => {
    const { patch, state } = await addWidget(app)
    await patch(1)
    await app.runDueJobs()
    app.advanceSeconds(1)
    await patch(2)
    app.advanceSeconds(14)
    await app.runDueJobs()
    await patch(3)
    expect(await state()).toEqual({ pushedAt: `${hour()}:00:15`, dueAt: [`${hour()}:00:30`] })
  })

  test('after a quiet window a change is due immediately again', async () => {
    const { patch, state } = await addWidget(app)
    await patch(1)
    await app.runDueJobs()
    app.advanceSeconds(15)
    await patch(2)
    expect((await state()).dueAt).toEqual([`${hour()}:00:15`])
  })

  test('a patch that changes nothing, and a repeated POST, are pushed like any change', async () => {
    const { user, patch, state } = await addWidget(app)
    await patch(0)
    await app.runDueJobs()
    expect((await state()).pushedAt).toBe(`${hour()}:00:00`)
    app.advanceSeconds(15)
    await app.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value' } }, user.token)
    await app.runDueJobs()
    expect((await state()).pushedAt).toBe(`${hour()}:00:15`)
  })

  test('a refused patch is not pushed', async () => {
    const { user, state } = await addWidget(app)
    await app.patch('/widgets/w', { content: { template: 'gauge' } }, user.token)
    expect((await state()).dueAt).toEqual([])
  })

  test('widgets have separate windows', async () => {
    const [one, two] = [await addWidget(app), await addWidget(app)]
    await one.patch(1)
    await app.runDueJobs()
    await two.patch(1)
    await app.runDueJobs()
    expect((await two.state()).pushedAt).toBe(`${hour()}:00:00`)
  })

  test('the push of a deleted widget is dropped without a failure', async () => {
    const { user, patch } = await addWidget(app)
    await patch(1)
    await app.del('/widgets/w', user.token)
    const reloads = () => app.app.ctx.db.read.all(sql`select id from jobs where kind = 'reload-widget'`)
    expect(await reloads()).toHaveLength(1)
    await app.runDueJobs()
    expect(await reloads()).toEqual([])
  })
})

describe.skipIf(sqliteSuffices())('R28: push_throttle', () => {
  const app = useTestApp()

  test.each([1, 60, 3600])('a window of %i seconds is exact', async (throttle) => {
    const { patch, state } = await addWidget(app, { push_throttle: throttle })
    await patch(1)
    await app.runDueJobs()
    const { pushedAt } = await state()
    await patch(2)
    app.advanceSeconds(throttle - 0.001)
    await app.runDueJobs()
    expect((await state()).pushedAt).toBe(pushedAt)
    app.advanceSeconds(0.001)
    await app.runDueJobs()
    expect((await state()).pushedAt).not.toBe(pushedAt)
  })

  test('a shorter window moves a waiting push forward', async () => {
    const { user, patch, state } = await addWidget(app, { push_throttle: 3600 })
    await patch(1)
    await app.runDueJobs()
    const { pushedAt } = await state()
    await patch(2)
    await app.patch('/widgets/w', { push_throttle: 10 }, user.token)
    app.advanceSeconds(10)
    await app.runDueJobs()
    expect((await state()).pushedAt).not.toBe(pushedAt)
  })

  test('a longer window delays a waiting push', async () => {
    const { user, patch, state } = await addWidget(app)
    await patch(1)
    await app.runDueJobs()
    const { pushedAt } = await state()
    await patch(2)
    await app.patch('/widgets/w', { push_throttle: 60 }, user.token)
    app.advanceSeconds(15)
    await app.runDueJobs()
    expect((await state()).pushedAt).toBe(pushedAt)
    app.advanceSeconds(45)
    await app.runDueJobs()
    expect((await state()).pushedAt).not.toBe(pushedAt)
  })
})

describe('R28: across restarts and nodes', () => {
  test('a push that waits when the server stops is sent by the next start', async () => {
    const database = await createTestDatabase()
    const clock = createTestClock('2026-11-15T08:00:00Z')
    const before = await startTestApp({}, database, { clock })
    const { user, patch } = await addWidget(before)
    await patch(1)
    await before.runDueJobs()
    clock.advanceSeconds(5)
    await patch(2)
    await before.stop()

    clock.advanceSeconds(60)
    const after = await startTestApp({}, database, { clock })
    expect(await pushStateOf(after, user.userId)).toEqual({ pushedAt: '08:00:00', dueAt: ['08:00:15'] })
    await after.runDueJobs()
    expect(await pushStateOf(after, user.userId)).toEqual({ pushedAt: '08:01:05', dueAt: [] })
    await after.stop()
    await database.drop()
  })

  test.runIf(isPostgres())('two nodes that patch and push concurrently share one window', async () => {
    const first = await startTestApp()
    const second = await startTestApp({}, first.database, { clock: first.clock })
    const { user } = await addWidget(first)
    const changes = Array.from({ length: 10 }, (_, index) => {
      const node = index % 2 === 0 ? first : second
      return node.patch('/widgets/w', { content: { value: index } }, user.token)
    })
    await Promise.all([...changes, first.runDueJobs(), second.runDueJobs()])
    await Promise.all([first.runDueJobs(), second.runDueJobs()])
    const { pushedAt, dueAt } = await pushStateOf(first, user.userId)
    expect(pushedAt).toBe('08:00:00')
    // Patches after the push wait for the end of the window, coalesced into one job.
    expect(dueAt.length).toBeLessThanOrEqual(1)
    first.advanceSeconds(15)
    await Promise.all([first.runDueJobs(), second.runDueJobs()])
    expect((await pushStateOf(first, user.userId)).dueAt).toEqual([])
    await second.stop()
    await first.stop()
  })
})

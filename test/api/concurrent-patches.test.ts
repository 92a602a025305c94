// Patches of the widgets or activities of an account at the same time. On PostgreSQL they share transactions, in which each
// continues from what the one before has written to the same row, without reading it again.
import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../support/app.ts'
import { expectProblem } from '../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser('paid')
})

const PATCHES = 40
const GAUGE = { template: 'gauge', value: 5, min_value: 0, max_value: 40 }
const MEMBERS = ['subtitle', 'unit', 'label']
const contents = Array.from(
  { length: PATCHES },
  (_, n) => [{ value: n }, { subtitle: null }, { subtitle: `s${n}` }, { unit: n % 8 === 3 ? null : 'GB' }][n % 4],
)

async function patchAll(path: string, bodies: object[]) {
  const answers = await Promise.all(bodies.map((body) => app.patch(path, body, user.token)))
  for (const { status } of answers) expect(status).toBeLessThan(300)
  const inOrder = answers.map(({ body }) => body).sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1))
  expect(new Set(inOrder.map(({ updated_at }) => updated_at)).size).toBe(bodies.length)
  return inOrder
}

const eventTypes = async () => {
  const rows = await app.app.ctx.db.read.all<{ type: string }>(
    sql`select type from events where user_id = ${user.userId} and type not like 'key.%' order by number`,
  )
  return rows.map(({ type }) => type)
}

test('of a widget: each is counted and told, and the widget is what the last one answered', async () => {
  await app.post('/widgets', { slug: 'load', name: 'Load', content: GAUGE }, user.token)
  const answers = await patchAll(
    '/widgets/load',
    contents.map((content, n) => ({ name: `Load ${n}`, content })),
  )
  expect((await app.get('/widgets/load', user.token)).body).toEqual(answers.at(-1))
  expect(await eventTypes()).toEqual(Array(PATCHES + 1).fill('widget.updated'))
  expect((await app.get('/auth/me', user.token)).body.widget_updates_used).toBe(PATCHES)
})

test('of several widgets, some of which are missing: no change of one is lost', async () => {
  const slugs = ['c', 'a', 'b']
  for (const slug of slugs) await app.post('/widgets', { slug, name: slug, content: GAUGE }, user.token)
  const sent = contents.slice(0, 20).flatMap((_, n) => [...slugs, 'missing'].map((slug) => ({ slug, n })))
  const answers = await Promise.all(
    sent.map(({ slug, n }) =>
      app.patch(`/widgets/${slug}`, { content: { [MEMBERS[n % 3] as string]: `${n}` } }, user.token),
    ),
  )
  const statuses = sent.map(({ slug }) => (slug === 'missing' ? 404 : 200))
  expect(answers.map(({ status }) => status)).toEqual(statuses)
  for (const slug of slugs) {
    const last = answers.filter((_, index) => sent[index]?.slug === slug).map(({ body }) => body)
    const newest = last.sort((a, b) => (a.updated_at < b.updated_at ? -1 : 1)).at(-1)
    expect((await app.get(`/widgets/${slug}`, user.token)).body).toEqual(newest)
    expect(Object.keys(newest.content)).toEqual(expect.arrayContaining(MEMBERS))
  }
  expect((await app.get('/auth/me', user.token)).body.widget_updates_used).toBe(20 * slugs.length)
})

test('of an activity: the first creates and starts it, and the activity is what the last one answered', async () => {
  const patches = contents.map((content) => ({ state: 'ongoing', content: { ...GAUGE, ...content } }))
  const answers = await patchAll('/activities/load?upsert=true', patches)
  expect((await app.get('/activities/load', user.token)).body).toEqual(answers.at(-1))
  const updates = Array(PATCHES - 1).fill('activity.updated')
  expect(await eventTypes()).toEqual(['activity.created', 'activity.started', ...updates])
  expect((await app.get('/auth/me', user.token)).body.live_activity_updates_used).toBe(PATCHES)
})

test('that are refused among them change nothing', async () => {
  await app.post('/widgets', { slug: 'load', name: 'Load', content: GAUGE }, user.token)
  const answers = await Promise.all(
    contents.map((_, n) => {
      const content = n % 3 === 0 ? { max_value: -1 } : { value: n, label: `L${n}` }
      return app.patch('/widgets/load', { content }, user.token)
    }),
  )
  for (const [n, answer] of answers.entries()) {
    if (n % 3 === 0) expectProblem(answer, 422, 'widget.content_invalid')
    else expect(answer.body.content).toEqual({ ...GAUGE, value: n, label: `L${n}` })
  }
})

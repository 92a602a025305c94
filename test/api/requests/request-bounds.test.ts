// Decision 17: a request is limited in its number of values, and its refusal in length.
import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeAll(async () => {
  user = await app.addUser()
  await app.post('/activities', { slug: 'a', name: 'A' }, user.token)
})

const LONGEST_REFUSAL_BYTES = 20_000
const repeat = (count: number, entry: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => entry(i)).join(',')
const unknownKeys = (count: number) => repeat(count, (i) => `"k${i}":1`)
const post = (path: string, raw: string, token?: string) => app.call('POST', path, { token, raw })
const patchActivity = (content: string) =>
  app.call('PATCH', '/activities/a', { token: user.token, raw: `{"content":${content}}` })

describe('values in a body', () => {
  test.each([
    ['/answers/x', `{${unknownKeys(95_000)}}`],
    ['/answers/x', `{"a":[${repeat(115_000, () => '"\\u0000"')}]}`],
    ['/notifications/read', `{"ids":[${repeat(500_000, () => '0')}]}`],
    ['/notifications', `{"title":"t","body":"b","actions":[${repeat(120_000, () => '{"i":1}')}]}`],
    ['/widgets', `{"slug":"w","name":"W","content":{"stat_rows":[${repeat(120_000, () => '{"a":1}')}]}}`],
    ['/widgets', `{"slug":"w","name":"W","content":{"flow":{"inputs":[${repeat(300_000, () => '[]')}]}}}`],
  ])('400 request.body_invalid for too many: %s %.30s', async (path, raw) => {
    const refused = await post(path, raw, user.token)
    expectProblem(refused, 400, 'request.body_invalid')
    expect(refused.body.detail).toBe(`The body has more than ${LIMITS.request.maxJsonValues} values.`)
  })

  test('200 for the largest history a timeline may start with', async () => {
    const points = Array.from({ length: LIMITS.activity.maxPoints }, (_, i) => ({
      timestamp: 1_700_000_000 + i,
      value: i,
    }))
    const series = Array.from({ length: LIMITS.activity.maxSeries }, (_, i) => `series-${i}`)
    const content = {
      template: 'timeline',
      value: Object.fromEntries(series.map((name) => [name, 1])),
      history: Object.fromEntries(series.map((name) => [name, points])),
    }
    await app.post('/activities', { slug: 'history', name: 'History' }, user.token)
    expect((await app.patch('/activities/history', { state: 'ongoing', content }, user.token)).status).toBe(200)
  })
})

describe('violations in an answer', () => {
  test('422 lists all of them, up to 50', async () => {
    const refused = await post('/answers/x', `{${unknownKeys(49)}}`)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(expect.arrayContaining(['body.k0', 'body.k48']))
    expect(refused.body.detail).toMatch(/^body\.\w+ .*\(and \d\d more; see errors\)\.$/)
  })

  test('422 lists the first 50, and says that there are more', async () => {
    const refused = await post('/answers/x', `{${unknownKeys(400)}}`)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(refused.body.errors).toHaveLength(50)
    expect(refused.body.errors.at(-1)).toEqual({
      location: 'body',
      message: 'has more violations than are listed here',
    })
  })

  test('422 lists only the first one in a body of thousands of values, and says that there are more', async () => {
    const refused = await post('/answers/x', `{${unknownKeys(15_000)}}`)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(refused.body.errors).toEqual([
      { location: expect.stringMatching(/^body\.\w+$/), message: expect.any(String) },
      { location: 'body', message: 'has more violations than are listed here' },
    ])
  })

  test.each([
    ['unknown members with long names', `{${repeat(900, (i) => `"${'k'.repeat(1000)}${i}":1`)}}`],
    ['one name of a megabyte', `{"${'k'.repeat(1_000_000)}":1}`],
    ['names that are escaped in the answer', `{${repeat(900, (i) => `"${'\\u0001'.repeat(80)}${i}":1`)}}`],
    ['names outside of ASCII', `{${repeat(900, (i) => `"${'語'.repeat(200)}${i}":1`)}}`],
    ['text that cannot be stored', `{"${'k'.repeat(500_000)}":[${repeat(900, () => '"\\u0000"')}]}`],
    ['a value of a megabyte', `{"action_id":"${'x'.repeat(1_000_000)}"}`],
  ])('the answer is short for %s', async (_what, raw) => {
    const refused = await post('/answers/x', raw)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(refused.text.length).toBeLessThan(LONGEST_REFUSAL_BYTES)
    expect(Buffer.byteLength(refused.text)).toBeLessThan(LONGEST_REFUSAL_BYTES)
  })

  test('names in a location are truncated after 100 characters', async () => {
    const refused = await post('/answers/x', `{"${'k'.repeat(1000)}":1}`)
    expect(locations(refused)).toContain(`body.${'k'.repeat(100)}…`)
  })
})

describe('values repeated in a refusal', () => {
  const long = 'x'.repeat(900_000)

  test.each<[string, string, string, unknown]>([
    ['an unknown path', 'GET', `/${'x'.repeat(12_000)}`, undefined],
    ['a file of the console', 'GET', `/app/${'x'.repeat(2000)}.js`, undefined],
    ['a state', 'PATCH', '/activities/a', { state: long }],
    ['a state to list', 'GET', `/activities?state=${'x'.repeat(12_000)}`, undefined],
    ['a template', 'PATCH', '/activities/a', { content: { template: long } }],
    ['a name of a key', 'POST', '/integrations/keys', { name: long }],
    ['a slug', 'POST', '/widgets', { slug: long, name: 'W', content: { template: 'value' } }],
    ['an activity', 'POST', '/notifications', { title: 't', body: 'b', activity_slug: long }],
    ['an address', 'POST', '/emails', { to: long, subject: 's', text: 't' }],
    ['a colour', 'PATCH', '/activities/a', { content: { template: 'generic', accent_color: long } }],
    [
      'a time zone',
      'POST',
      '/notifications/scheduled',
      { title: 't', body: 'b', recurrence: { cron: '0 9 * * *', timezone: long } },
    ],
  ])('are truncated: %s', async (_what, method, path, body) => {
    const refused = await app.call(method, path, { token: user.token, ...(body !== undefined && { body }) })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.text.length).toBeLessThan(1500)
  })

  test('are truncated: the name of a member that a rule refuses', async () => {
    const metadata = { [long]: 'x' }
    const refused = await app.post('/notifications', { title: 't', body: 'b', metadata }, user.token)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(locations(refused)[0]).toMatch(/^body\.metadata/)
    expect(refused.text.length).toBeLessThan(1500)
  })

  test('403 the slugs of a key with a long list are truncated too', async () => {
    const activity_slugs = Array.from({ length: 100 }, (_, i) => `${'s'.repeat(120)}-${i}`)
    const permissions = { activities: 'manage' }
    const key = await app.addKey(user, { permissions, activity_slugs })
    const refused = await app.post('/activities', { slug: 'x'.repeat(128), name: 'A' }, key)
    expectProblem(refused, 403, 'integration_key.slug_invalid')
    expect(refused.text.length).toBeLessThan(1500)
  })
})

describe('unknown members of activity content', () => {
  test.each([
    ['many', `{"template":"generic",${unknownKeys(LIMITS.activity.maxContentValues)}}`],
    ['nested', `{"template":"generic","x":{"y":[${repeat(LIMITS.activity.maxContentValues, () => '1')}]}}`],
    [
      'in a known member',
      `{"template":"generic","tap_action":{"url":"https://x.org",${unknownKeys(LIMITS.activity.maxContentValues)}}}`,
    ],
    ['long', `{"template":"generic","x":"${'x'.repeat(LIMITS.activity.maxContentChars)}"}`],
    ['with a long name', `{"template":"generic","${'x'.repeat(LIMITS.activity.maxContentChars)}":1}`],
  ])('422 activity.content_invalid: %s', async (_what, content) => {
    const refused = await patchActivity(content)
    expectProblem(refused, 422, 'activity.content_invalid')
    expect(locations(refused)).toEqual(['body.content'])
  })

  test('422 when several patches add too many, and the activity stays unchanged', async () => {
    const third = Math.ceil(LIMITS.activity.maxContentValues / 3)
    const members = (from: number) => repeat(third, (i) => `"k${from + i}":1`)
    expect((await patchActivity(`{"template":"generic",${members(0)}}`)).status).toBe(200)
    expect((await patchActivity(`{${members(third)}}`)).status).toBe(200)
    expectProblem(await patchActivity(`{${members(2 * third)}}`), 422, 'activity.content_invalid')
    expect(Object.keys((await app.get('/activities/a', user.token)).body.content)).toHaveLength(2 * third + 1)
  })
})

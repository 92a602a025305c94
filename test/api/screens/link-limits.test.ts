// The limits of screen links: requests and new pictures of a link, and refused tokens of an address.
import { beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp({ HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '5' })

let user: TestUser
beforeAll(async () => {
  user = await app.addUser()
  await app.post('/widgets', { slug: 'a', name: 'A', content: { template: 'value', value: 1 } }, user.token)
})

async function addLink(): Promise<string> {
  app.advanceSeconds(60)
  const { body } = await app.post('/screens', { name: 'x', widgets: ['*'] }, user.token)
  return new URL(body.url).pathname
}
const statuses = (paths: string[]) => Promise.all(paths.map(async (path) => (await app.get(path)).status))
const times = (count: number, path: string) => Array.from({ length: count }, () => path)
const count = (all: number[], status: number) => all.filter((one) => one === status).length

test('429 for more requests a minute than a link may send; its address and other links are not affected', async () => {
  const [link, other] = [await addLink(), await addLink()]
  const most = LIMITS.screen.linkRequestsPerMinute
  const answers = await statuses(times(most + 1, `${link}/widgets/a.txt`))
  expect([count(answers, 200), count(answers, 429)]).toEqual([most, 1])
  const refused = await app.get(`${link}/widgets/a.txt`)
  expectProblem(refused, 429, 'rate_limit.exceeded')
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect((await app.get(`${other}/widgets/a.txt`)).status).toBe(200)
  expect((await app.get('/widgets/a.txt', user.token)).status).toBe(200)
})

test('429 for more refused tokens a minute than an address may send, as a picture too; valid links go on', async () => {
  const link = await addLink()
  const most = LIMITS.screen.refusedTokensPerMinute
  const answers = await statuses(times(most + 1, '/s/hls_wrong/widgets/a.txt'))
  expect([count(answers, 404), count(answers, 429)]).toEqual([most, 1])
  const picture = await app.get('/s/hls_wrong/widgets/a.png')
  expect([picture.status, picture.headers.get('content-type')]).toEqual([429, 'image/png'])
  expect((await app.get(`${link}/widgets/a.txt`)).status).toBe(200)
})

test('429 for more new pictures an hour than a link may ask for; those that it has asked for stay', async () => {
  const [link, other] = [await addLink(), await addLink()]
  const most = LIMITS.screen.newVariantsPerHour
  // Each is known to the client, so that none is drawn.
  const ask = async (path: string) => (await fetch(app.url + path, { headers: { 'if-none-match': '*' } })).status
  const variant = (n: number) => `/widgets/a.svg?size=${40 + n}x100`
  const answers = await Promise.all(Array.from({ length: most + 1 }, (_, n) => ask(link + variant(n))))
  expect([count(answers, 304), count(answers, 429)]).toEqual([most, 1])
  const refused = await app.get(link + variant(most + 1))
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 3600])
  // Other spellings of the same picture are no others.
  expect(await ask(`${link}/widgets/a.svg?theme=light&size=41x100`)).toBe(304)
  expect(await ask(other + variant(most + 1))).toBe(304)
  app.advanceSeconds(3601)
  expect(await ask(link + variant(most + 1))).toBe(304)
})

test('404 for all links, and for new ones, on a server without them; the list stays', async () => {
  const without = await startTestApp({ HELIOGRAPH_SCREEN_LINKS: 'off' })
  try {
    const { token } = await without.addUser()
    const answer = await without.post('/screens', { name: 'x', wall: true }, token)
    expectProblem(answer, 404, 'screen.not_enabled')
    expectProblem(await without.get('/s/hls_any/widgets/a.txt'), 404, 'screen.not_found')
    expect((await without.get('/screens', token)).body).toEqual({ items: [] })
  } finally {
    await without.stop()
  }
})

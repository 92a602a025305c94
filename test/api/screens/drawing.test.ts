// The process that draws: equal requests share a drawing, one that is killed costs nobody a picture, and accounts take turns.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { scrape } from '../../support/metrics.ts'
import { nightlyTest } from '../../support/nightly.ts'

const app = useTestApp({ HELIOGRAPH_METRICS_PORT: '0' })

const ask = ({ token }: TestUser, path: string) =>
  fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString('base64')
const withWidget = async () => {
  const user = await app.addUser()
  const content = { template: 'value', value: 1 }
  expect((await app.post('/widgets', { slug: 'w', name: 'W', content }, user.token)).status).toBe(201)
  return user
}
const variants = (count: number) =>
  Array.from({ length: count }, (_, index) => `/widgets/w.svg?size=${200 + index}x158`)

function drawingProcess(): number {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' }).split('\n')
  return Number.parseInt(lines.find((line) => line.includes('pictures/process.js')) ?? '', 10)
}

describe.skipIf(sqliteSuffices())('the drawing process', () => {
  test('draws once what is asked for many times at once, and metrics count it', async () => {
    const user = await withWidget()
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(user, '/widgets/w.png')))
    expect(new Set(await Promise.all(answers.map(bytesOf))).size).toBe(1)
    const etag = answers[0]?.headers.get('etag') ?? ''
    await fetch(`${app.url}/widgets/w.png`, {
      headers: { authorization: `Bearer ${user.token}`, 'if-none-match': etag },
    })
    const { value } = await scrape(app.app)
    const count = (result: string) => value('heliograph_pictures_total', { kind: 'widget', result })
    expect([count('drawn'), count('cached'), count('not_modified')]).toEqual([1, 29, 1])
    expect(value('heliograph_picture_process_bytes')).toBeGreaterThan(1_000_000)
    expect(value('heliograph_picture_cache_bytes')).toBeGreaterThan(100)
  })

  test('that is killed is started again, and the pictures are drawn', async () => {
    const user = await withWidget()
    await (await ask(user, '/widgets/w.svg')).text()
    const asked = variants(10).map((path) => ask(user, path))
    process.kill(drawingProcess(), 'SIGKILL')
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect((await ask(user, '/widgets/w.svg?size=333x158')).status).toBe(200)
    expect((await scrape(app.app)).value('heliograph_picture_process_restarts_total')).toBeGreaterThan(0)
  })

  nightlyTest('takes accounts in turns; one with too many waiting pictures is told when to come again', async () => {
    const [many, one] = [await withWidget(), await withWidget()]
    const order: string[] = []
    const asked = variants(90).map(async (path) => {
      const response = await ask(many, path)
      if (response.status === 200) order.push('many')
      return response
    })
    const busy = await Promise.any(
      asked.map(async (answer) => ((await answer).status === 503 ? answer : Promise.reject())),
    )
    expect(busy.headers.get('retry-after')).toBe('2')
    const before = order.length
    expect((await ask(one, '/widgets/w.svg')).status).toBe(200)
    expect(order.length - before).toBeLessThanOrEqual(4)
    await Promise.all(asked)
  })
})

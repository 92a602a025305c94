// The process that draws: equal requests share a drawing, one that is killed costs nobody a picture, and accounts take turns.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { PictureTask } from '../../../src/domain/screens/picture.ts'
import { wallSheet } from '../../../src/domain/screens/sheet.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { scrape } from '../../support/metrics.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { readPng } from '../../support/screens/png.ts'

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
// Of the picture that a path shows now, without drawing it.
async function nameOf({ token }: TestUser, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'if-none-match': '*' }
  return (await fetch(app.url + path, { headers })).headers.get('etag')?.slice(1, -1) ?? ''
}

// What the process cannot draw.
const IMPOSSIBLE = {} as PictureTask

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
    await (await ask(user, '/widgets.txt')).text()
    const { value } = await scrape(app.app)
    const requests = ['png', 'txt', 'trmnl'].map((form) => value('heliograph_screen_requests_total', { form }))
    expect(requests).toEqual([31, 1, 0])
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

  test('shows an older picture while too many wait, else one that says so', async () => {
    const user = await withWidget()
    const older = await ask(user, '/widgets/w.png')
    await app.patch('/widgets/w', { content: { value: 2 } }, user.token)
    const { pictures } = app.app.ctx
    const pid = drawingProcess()
    process.kill(pid, 'SIGSTOP')
    const waiting = Array.from({ length: 70 }, (_, index) =>
      pictures.draw(user.userId, `${index}`, { kind: 'widget', task: async () => IMPOSSIBLE }),
    )
    const stale = await ask(user, '/widgets/w.png')
    const busy = await ask(user, '/widgets/w.png?size=300x100&scale=1')
    process.kill(pid, 'SIGCONT')
    expect([stale.status, stale.headers.get('etag'), await bytesOf(stale)]).toEqual([
      200,
      older.headers.get('etag'),
      await bytesOf(older),
    ])
    expect(stale.headers.get('cache-control')).toBe('private, max-age=5, stale-if-error=86400')
    expect([busy.status, busy.headers.get('retry-after'), busy.headers.get('content-type')]).toEqual([
      503,
      '2',
      'image/png',
    ])
    expect(readPng(Buffer.from(await busy.arrayBuffer()))).toMatchObject({ width: 300, height: 100 })
    expect((await scrape(app.app)).value('heliograph_pictures_total', { kind: 'widget', result: 'stale' })).toBe(1)
    await Promise.all(waiting)
    expect((await ask(user, '/widgets/w.png')).headers.get('etag')).not.toBe(older.headers.get('etag'))
  })

  test('that fails at a picture says so for a minute, then tries it again; other accounts see nothing of it', async () => {
    const [user, other] = [await withWidget(), await withWidget()]
    const path = '/widgets/w.png?size=338x200'
    const name = await nameOf(user, path)
    await app.app.ctx.pictures.draw(user.userId, name, { kind: 'widget', task: async () => IMPOSSIBLE })
    const failed = await ask(user, path)
    expect([failed.status, failed.headers.get('content-type')]).toEqual([500, 'image/png'])
    expect(readPng(Buffer.from(await failed.arrayBuffer()))).toMatchObject({ width: 676, height: 400 })
    expect((await ask(other, path)).status).toBe(200)
    app.advanceSeconds(59)
    expect((await ask(user, path)).status).toBe(500)
    app.advanceSeconds(1)
    expect((await ask(user, path)).status).toBe(200)
  })

  test('leaves the place of a card empty for no longer than the card fails', async () => {
    const user = await withWidget()
    const { width, height } = wallSheet(['small'], 0, undefined).places[0] as { width: number; height: number }
    const card = `/widgets/w.svg?family=small&size=${width}x${height}`
    await app.put('/wall', { items: [{ slug: 'w', size: 'small' }] }, user.token)
    const name = await nameOf(user, card)
    await app.app.ctx.pictures.draw(user.userId, name, { kind: 'widget', task: async () => IMPOSSIBLE })
    const failed = await ask(user, card)
    expect([failed.status, failed.headers.get('content-type')]).toEqual([500, 'image/svg+xml'])
    const partial = await ask(user, '/wall.svg')
    expect([partial.status, partial.headers.get('cache-control')]).toEqual([200, expect.stringContaining('max-age=5,')])
    const whole = await nameOf(user, '/wall.svg')
    expect(partial.headers.get('etag')).not.toBe(`"${whole}"`)
    // Nothing was kept under the name of the whole wall.
    const task = () => Promise.reject(new Error('drawn again'))
    await expect(app.app.ctx.pictures.draw(user.userId, whole, { kind: 'sheet', task })).rejects.toThrow('drawn again')
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

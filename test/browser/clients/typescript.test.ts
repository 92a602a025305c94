// @heliograph/client in a page of another origin, as it is built into the package.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type * as Exports from '../../../clients/typescript/client.ts'
import { startTestApp } from '../../support/app.ts'
import { useBrowser } from '../../support/browser/browser.ts'

const browser = useBrowser()
const PAGE = `<script type="module">import * as client from '/clients/typescript/client.js'; globalThis.heliograph = client</script>`

test('a page sends, asks, shows an activity, reads events and encrypts', async () => {
  const origin = await serveClient()
  const app = await startTestApp({ HELIOGRAPH_CORS_ORIGINS: origin })
  onTestFinished(() => app.stop())
  const { token } = await app.addUser()
  const page = await (await browser.newProfile()).newPage()
  await page.goto(origin)

  const seen = await page.evaluate(
    async ({ url, token }) => {
      const { createClient, encrypt, decrypt } = (globalThis as unknown as { heliograph: typeof Exports }).heliograph
      const client = createClient({ url, token })
      const { id } = await client.send({ title: 'Deploy?', body: 'B', actions: [{ id: 'yes', title: 'Yes' }] })
      const waiting = client.answer(id)
      await client.request('POST', `/notifications/${id}/answer`, { body: { action_id: 'yes' } })
      const answer = await waiting
      const activity = await client.activity('build').update({ template: 'generic', state: 'Testing', progress: 0.5 })
      const types: string[] = []
      for await (const { type } of client.events({ after: '0' })) {
        types.push(type)
        if (type === 'activity.started') break
      }
      const key = '07'.repeat(32)
      const opened = await decrypt(key, await encrypt(key, { title: 'Alarm', body: 'B' }))
      return { answer: answer.action_id, state: activity.state, types, opened }
    },
    { url: app.url, token },
  )
  expect(seen).toMatchObject({ answer: 'yes', state: 'ongoing', opened: { title: 'Alarm', body: 'B' } })
  expect(seen.types).toEqual(expect.arrayContaining(['notification.created', 'notification.answered']))
})

async function serveClient(): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(PAGE)
    const file = await readFile(`dist/client${request.url}`).catch(() => undefined)
    response.writeHead(file ? 200 : 404, { 'content-type': 'text/javascript' }).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

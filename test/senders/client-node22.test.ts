// @heliograph/client on the oldest Node.js that it supports. `npm test` has it on the one that runs the tests.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'

const run = promisify(execFile)
const app = useTestApp()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
  // The package's install script fetches the binary of this platform.
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
  await run('npm', ['install', '--no-audit', '--no-fund', 'node@22'], { cwd: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const PROGRAM = `
const { createClient } = await import(process.env.CLIENT)
const client = createClient({ url: process.env.URL, token: process.env.TOKEN })
const { id } = await client.send({ title: 'Deploy?', body: 'B', actions: [{ id: 'yes', title: 'Yes' }] })
const waiting = client.answer(id)
await client.request('POST', '/notifications/' + id + '/answer', { body: { action_id: 'yes' } })
const answer = await waiting
for await (const { type } of client.events({ after: '0' })) if (type === 'notification.answered') break
const { state } = await client.activity('build').end({ template: 'generic', state: 'Done' })
console.log(process.version.split('.')[0], answer.action_id, state)
`

test('sends, waits for an answer, reads events and ends an activity on Node.js 22', async () => {
  const { token } = await app.addUser()
  const { stdout } = await run(join(folder, 'node_modules/node/bin/node'), ['--input-type=module', '--eval', PROGRAM], {
    env: { URL: app.url, TOKEN: token, CLIENT: resolve('dist/client/clients/typescript/client.js') },
  })
  expect(stdout).toBe('v22 yes ended\n')
})

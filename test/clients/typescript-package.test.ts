// @heliograph/client as programs get it: its size in a bundle, its types, and a server that is killed while it waits.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rollup } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../clients/typescript/client.ts'
import { startApp } from '../../src/boot/app.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createClient as createTestClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'

const CLIENT = resolve('clients/typescript/client.ts')

async function bundledBytes(source: string): Promise<number> {
  const entry = join(emptyFolder(), 'program.js')
  writeFileSync(entry, source)
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['es'] }, minify: true, rollupOptions: { treeshake: true } },
  })
  const [{ output: chunks }] = output as Rollup.RollupOutput[] as [Rollup.RollupOutput]
  return gzipSync(chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')).length
}

test('a bundle with all of the client is under 10 KB compressed, and one with verifyCallback has nothing else', async () => {
  expect(await bundledBytes(`export * from '${CLIENT}'`)).toBeLessThan(10_000)
  expect(await bundledBytes(`export { verifyCallback } from '${CLIENT}'`)).toBeLessThan(1500)
})

const PROGRAM = `import { createClient, type Answer } from '@heliograph/client'
const client = createClient({ url: 'http://127.0.0.1', token: 'hlk_' })
export const answer: Promise<Answer> = client.ask({ title: 'T', body: 'B', level: 'active', actions: [{ id: 'y', title: 'Y' }] })
// @ts-expect-error: there is no such level
export const refused = client.send({ title: 'T', body: 'B', level: 'loud' })
`

test('the package has types that a program without Node.js compiles against', () => {
  const folder = emptyFolder()
  const installed = join(folder, 'node_modules/@heliograph/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', resolve('dist/clients/heliograph-client.tgz'), '-C', installed, '--strip-components=1'])
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  const options = '--noEmit --strict --target es2022 --module nodenext --lib es2022,dom --ignoreConfig'.split(' ')
  const tsc = resolve('node_modules/@typescript/native/bin/tsc')
  execFileSync(process.execPath, [tsc, ...options, 'program.ts'], { cwd: folder, stdio: 'pipe' })
})

test('the answer to a question arrives although the server is killed and started again in between', async () => {
  const environment = { HELIOGRAPH_DATA_DIR: join(emptyFolder(), 'data'), HELIOGRAPH_PORT: '0' }
  const killed = await startHeliograph(['serve'], { environment })
  const token = await signIn(killed)
  const requested: string[] = []
  const client = createClient({
    url: killed.url,
    token,
    fetch: (input, init) => {
      requested.push(String(input))
      return fetch(input, init)
    },
  })
  const asked = client.ask({ title: 'Deploy?', body: 'Now.', actions: [{ id: 'yes', title: 'Yes' }] })
  await eventually(() => expect(requested.at(-1)).toMatch(/answers\/1\?wait=25$/))
  await killed.end('SIGKILL')
  const { port } = new URL(killed.url)
  // In the process of the test: what counts is what the killed one has left.
  const config = loadConfig({}, { ...environment, HELIOGRAPH_PORT: port }, 'no-such-file.json')
  const next = await startApp(config, { log: createLog('silent', 'json') })
  onTestFinished(() => next.stop())
  const api = createTestClient(next.url)
  expect((await api.post('/notifications/1/answer', { action_id: 'yes' }, token)).status).toBe(200)
  expect(await asked).toMatchObject({ notification_id: 1, status: 'answered', action_id: 'yes' })
})

async function signIn({ url, output }: RunningProcess): Promise<string> {
  const code = /#signin=(\S+)/.exec(output())?.[1]
  return (await createTestClient(url).post('/auth/link', { code })).body.token
}

// Generators that others wrote understand openapi.json: they warn about nothing, their output compiles, and the client
// they make works against a running service.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { nightlyTest } from '../support/nightly.ts'

const run = promisify(execFile)

// Inside the checkout, so that the program finds node_modules; dist is not checked in.
mkdirSync('dist', { recursive: true })
const folder = mkdtempSync(join('dist', 'generated-clients-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bin = (name: string) => join('node_modules', '.bin', name)
const WARNING = /warn|error|unsupported|deprecat|⚠/i

async function generate(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(bin(name), args, { env: { ...process.env, NO_COLOR: '1' } })
  return stdout + stderr
}

const COMPILER_OPTIONS = {
  strict: true,
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  // Generated imports have no file extension, which only Node's CommonJS loader resolves.
  module: 'CommonJS',
  moduleResolution: 'Bundler',
  types: ['node'],
  skipLibCheck: true,
  outDir: 'out',
  rootDir: '.',
}

// What a user of the generated types and client writes; the compiler checks each name and type in it.
const PROGRAM = `
import { client } from './client/client.gen'
import { listNotifications, updateWidget, createWidget, createNotification, streamEvents } from './client/sdk.gen'
import type { components, operations } from './schema'

const [baseUrl, token] = process.argv.slice(2)
client.setConfig({ baseUrl, auth: token })

type Sent = operations['createNotification']['responses'][201]['content']['application/json']
const body: components['schemas']['NotificationInput'] = { title: 'Hello', body: 'from a generated client' }

async function main() {
  const { data } = await createNotification({ body })
  const sent: Sent | undefined = data && 'delivery' in data ? data : undefined

  await createWidget({ body: { slug: 'w', name: 'W', content: { template: 'value', value: 1 } } })
  const patched = await updateWidget({ path: { slug: 'w' }, body: { content: { value: 2 } } })
  const refused = await updateWidget({ path: { slug: 'none' }, body: { content: { value: 2 } } })
  const isKnownCode = refused.error?.code === 'widget.not_found'
  const inbox = await listNotifications({ query: { limit: 1 } })

  const { stream } = await streamEvents({ headers: { 'Last-Event-ID': '0' } })
  let title: string | undefined
  for await (const event of stream) {
    if (!('type' in event) || event.type !== 'notification.created') continue
    title = 'title' in event.data ? event.data.title : undefined
    break
  }
  console.log(JSON.stringify({
    delivery: sent?.delivery,
    value: patched.data && 'content' in patched.data && patched.data.content.value,
    isKnownCode,
    inbox: inbox.data?.items.length,
    title,
  }))
  process.exit(0)
}
main()
`

// What the types of openapi-typescript are for; at night PROGRAM uses them beside the client of the other generator.
const TYPES_PROGRAM = `
import type { components, operations } from './schema'

export const body: components['schemas']['NotificationInput'] = { title: 'Hello', body: 'from generated types' }
// @ts-expect-error: there is no such level
export const wrong: components['schemas']['NotificationInput'] = { title: 'Hello', body: '', level: 'loud' }
export type Sent = operations['createNotification']['responses'][201]['content']['application/json']
`

async function compile(program: string): Promise<void> {
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts', 'client'] }),
  )
  await run(bin('tsc'), ['-p', folder])
}

describe('openapi-typescript and @hey-api/openapi-ts', () => {
  nightlyTest('the first generates without a warning types that compile', async () => {
    expect(await generate('openapi-typescript', 'openapi.json', '-o', join(folder, 'schema.ts'))).not.toMatch(WARNING)
    await compile(TYPES_PROGRAM)
  })

  nightlyTest('generate without a warning a client that compiles and works', async () => {
    const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
    const outputs = await Promise.all([
      generate('openapi-typescript', 'openapi.json', '-o', join(folder, 'schema.ts')),
      generate('openapi-ts', '-i', 'openapi.json', '-o', join(folder, 'client'), '--no-log-file', '-p', ...plugins),
    ])
    for (const output of outputs) expect(output).not.toMatch(WARNING)

    await compile(PROGRAM)
    const app = await startTestApp()
    onTestFinished(() => app.stop())
    const { token } = await app.addUser()
    const { stdout } = await run(process.execPath, [join(folder, 'out', 'program.js'), app.url, token])
    expect(JSON.parse(stdout)).toEqual({
      delivery: 'none',
      value: 2,
      isKnownCode: true,
      inbox: 1,
      title: 'Hello',
    })
  })
})

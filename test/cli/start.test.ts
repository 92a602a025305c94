// Starting: the output of the first start, and that a start which cannot succeed says why in one line.
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../src/boot/app.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { createClient } from '../support/client.ts'
import { startListener } from '../support/fakes/local-servers.ts'
import { emptyFolder, MAIN, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { nightlyTest } from '../support/nightly.ts'

describe('the first start', () => {
  test('shows a link and a key that work, and writes to its data folder only; the second start shows neither and keeps the data', async () => {
    const cwd = emptyFolder()
    const program = { cwd, environment: { HELIOGRAPH_PORT: '0' } }
    const first = await startHeliograph(['serve'], program)
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const code = /#signin=(\S+)/.exec(first.output())?.[1]
    const key = /hlk_\S+/.exec(first.output())?.[0] ?? ''
    const api = createClient(first.url)
    expect((await api.post('/auth/link', { code })).status).toBe(200)
    const [curl = ''] = first.output().match(/^curl .*$/m) ?? []
    const { stdout: sent } = await promisify(execFile)('sh', ['-c', `${curl} -s`])
    expect(JSON.parse(sent)).toMatchObject({ id: 1, title: 'Hello' })
    expect(first.output()).toMatch(/^\{[^\n]*"schema":"[^"]+","msg":"database created"\}\n/)
    const gauge = { template: 'gauge', value: 1, min_value: 0, max_value: 5 }
    expect((await api.post('/widgets', { slug: 'load', name: 'Load', content: gauge }, key)).status).toBe(201)
    expect(readdirSync(cwd)).toEqual(['data'])
    expect(statSync(join(cwd, 'data')).mode & 0o777).toBe(0o700)

    // Beside it, without its settings.
    expect((await runHeliograph(['signin'], { cwd })).stdout).toContain(
      `${first.url.replace('127.0.0.1', 'localhost')}/app/#signin=`,
    )
    const withPort = await runCommand(['signin', '--port', '9000'], { HELIOGRAPH_DATA_DIR: join(cwd, 'data') })
    expect(withPort.stdout).toContain('http://localhost:9000/app/#signin=')
    await first.end('SIGTERM')

    const second = await startHeliograph(['serve'], program)
    expect(second.output()).not.toMatch(/hlk_|signin|Welcome/)
    expect((await createClient(second.url).get('/widgets/load', key)).body.name).toBe('Load')
  })
})

describe.skipIf(!existsSync('/proc/self/limits'))('the limit of open files', () => {
  // The address does not belong to this machine, so the program exits.
  function serveWithLimit(limit: number, ...args: string[]) {
    const serve = `"${process.execPath}" "${MAIN}" serve --host 192.0.2.1 --port 0 ${args.join(' ')}`
    const shell = { cwd: emptyFolder(), env: { PATH: process.env.PATH }, encoding: 'utf8' as const }
    return spawnSync('sh', ['-c', `ulimit -n ${limit}; exec ${serve}`], shell)
  }

  test('too low to load the program is an error in one line', () => {
    for (const limit of [40, 255]) {
      const { status, stdout, stderr } = serveWithLimit(limit)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        new RegExp(`^heliograph: this process may open ${limit} files, and needs at least 256; .*\\n$`),
      )
    }
  })

  nightlyTest('below the connection limit is a warning in the log', () => {
    const warning = { level: 'warn', open_files: 1000, max_connections: 950 }
    const lines = (...args: string[]) =>
      serveWithLimit(1000, ...args)
        .stdout.trim()
        .split('\n')
    const warnings = lines('--max-connections', '950').filter((line) =>
      line.includes('the limit of open files is below'),
    )
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([warning])
    expect(lines('--max-connections', '900').join()).not.toContain('open files')
  })
})

describe('a start that cannot succeed says why in one line and exits with 1, or with 2 if a setting is wrong', () => {
  type Output = { code: number | null; stderr: string }

  function lineOf({ code, stderr }: Output, exitCode = 1): string {
    expect(code).toBe(exitCode)
    expect(stderr).toMatch(/^heliograph: [^\n]+\n$/)
    return stderr
  }

  // In the process of the test. One test is in a process of its own, at a time when everything is open: that it exits.
  async function refused(environment: Environment, exitCode = 1, command = 'serve'): Promise<string> {
    const settings = { HELIOGRAPH_PORT: '0', HELIOGRAPH_DATA_DIR: emptyFolder(), ...environment }
    return lineOf(await runCommand([command], settings), exitCode)
  }

  async function refusedProcess(environment: Environment): Promise<string> {
    return lineOf(await runHeliograph(['serve'], { environment: { HELIOGRAPH_PORT: '0', ...environment } }))
  }

  test('with several invalid settings', async () => {
    const line = await refused({ HELIOGRAPH_PORT: 'http', HELIOGRAPH_LOG_LEVEL: 'loud' }, 2)
    expect(line).toContain('HELIOGRAPH_PORT must be a whole number')
    expect(line).toContain('HELIOGRAPH_LOG_LEVEL must be one of')
  })

  test('with half of the settings for Apple, before anything is written', async () => {
    const folder = join(emptyFolder(), 'data')
    const environment = { HELIOGRAPH_PORT: '0', HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_APNS_KEY_ID: 'ABC' }
    const { code, stdout, stderr } = await runCommand(['serve'], environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('pushes to Apple devices need all of')
    expect(existsSync(folder)).toBe(false)
  })

  test('with a data folder that is not writable', async () => {
    // A folder below a regular file cannot be created, not even by root.
    const file = join(emptyFolder(), 'file')
    writeFileSync(file, '')
    const line = await refused({ HELIOGRAPH_DATA_DIR: join(file, 'data') })
    expect(line).toContain(
      `the data folder ${join(file, 'data')} cannot be written (ENOTDIR); check HELIOGRAPH_DATA_DIR`,
    )
  })

  nightlyTest('with a damaged secret', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'signing.key'), '')
    const line = await refused({ HELIOGRAPH_DATA_DIR: folder })
    expect(line).toContain(`the secret in ${join(folder, 'signing.key')} is damaged: it must hold 32 bytes in base64`)
    writeFileSync(join(folder, 'vapid-keys.json'), '{')
    expect(await refused({ HELIOGRAPH_DATA_DIR: folder })).toContain('vapid-keys.json is damaged')
  })

  test('with a port in use', async () => {
    const { port } = await startListener('127.0.0.1')
    const line = await refusedProcess({ HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: String(port) })
    expect(line).toContain(`port ${port} on 127.0.0.1 is in use; choose another with HELIOGRAPH_PORT`)
  })

  test('in a folder that was deleted', async () => {
    const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" serve --port 0'
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', emptyFolder(), process.execPath, MAIN], {
      encoding: 'utf8',
      timeout: 300_000,
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('the data folder ./data cannot be written (ENOENT)')])
  })

  test('with an address of another machine', async () => {
    const line = await refused({ HELIOGRAPH_HOST: '192.0.2.1', HELIOGRAPH_LOG_LEVEL: 'error' })
    expect(line).toContain('cannot listen on 192.0.2.1:0 (EADDRNOTAVAIL); check HELIOGRAPH_HOST')
  })

  test('R14 as a second process on the SQLite file, by serve or work, until the first one is killed', async () => {
    const environment = {
      HELIOGRAPH_DATA_DIR: emptyFolder(),
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_PUBLIC_URL: 'https://helio.example/',
    }
    const first = await startHeliograph(['serve'], { environment })
    expect(first.output()).toContain('https://helio.example/app/#signin=')
    for (const command of ['serve', 'work']) {
      expect(await refused(environment, 1, command)).toContain(
        `another Heliograph process already serves the data folder ${environment.HELIOGRAPH_DATA_DIR}; stop it first`,
      )
      expect((await createClient(first.url).get('/ready')).status).toBe(200)
    }
    await first.end('SIGKILL')
    const second = await startApp(loadConfig({}, environment, 'no-such-file.json'), {
      log: createLog('silent', 'json'),
    })
    onTestFinished(() => second.stop())
    expect((await createClient(second.url).get('/ready')).status).toBe(200)
  })

  test('with a PostgreSQL that refuses connections', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    closed.close()
    const line = await refused({ HELIOGRAPH_DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/db` })
    expect(line).toContain(`PostgreSQL at 127.0.0.1:${port} cannot be reached`)
    expect(line).toContain('check HELIOGRAPH_DATABASE_URL')
    expect(line).not.toContain('hunter2')
  })

  nightlyTest('with a PostgreSQL that accepts the connection and does not answer', async () => {
    const { port } = await startListener('127.0.0.1')
    const line = await refused({ HELIOGRAPH_DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/db` })
    expect(line).toContain(`PostgreSQL at 127.0.0.1:${port} cannot be reached`)
  })

  test('with a file that is not a database', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'heliograph.db'), 'this is no database, but long enough to look like one: '.repeat(100))
    const line = await refused({ HELIOGRAPH_DATA_DIR: folder })
    expect(line).toContain(join(folder, 'heliograph.db'))
  })

  test('with a folder in place of the lock file', async () => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'serving.lock'))
    expect(await refused({ HELIOGRAPH_DATA_DIR: folder })).toContain(join(folder, 'serving.lock'))
  })

  test('R02 with a SQLite that does not keep synchronous=FULL', async () => {
    const shim = join(emptyFolder(), 'shim.cjs')
    writeFileSync(shim, LOWER_SYNCHRONOUS)
    const line = await refusedProcess({ HELIOGRAPH_DATA_DIR: emptyFolder(), NODE_OPTIONS: `--require ${shim}` })
    expect(line).toContain('synchronous=FULL')
  })
})

// Some builds of SQLite do this.
const LOWER_SYNCHRONOUS = `
  const Module = require('node:module')
  const load = Module._load
  const lowered = (DatabaseSync) => class extends DatabaseSync {
    exec(text) {
      return super.exec(text.replace('synchronous = full', 'synchronous = normal'))
    }
  }
  Module._load = function (name, ...rest) {
    const loaded = load.call(this, name, ...rest)
    return name === 'node:sqlite' ? { ...loaded, DatabaseSync: lowered(loaded.DatabaseSync) } : loaded
  }`

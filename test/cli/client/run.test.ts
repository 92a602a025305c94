// heliograph run: the command behaves as it would without us, and is reported as a live activity.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startReport } from '../../../src/cli/client/activity-report.ts'
import type { Api } from '../../../src/cli/client/api.ts'
import { lineReader } from '../../../src/cli/client/last-lines.ts'
import { startTestApp } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { NOBODY, serverThatReplies, TOKEN } from '../../support/fakes/replying-server.ts'
import { emptyFolder, launch, MAIN, runHeliograph, watch } from '../../support/heliograph-process.ts'

const PATH = process.env.PATH
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
const OK = { status: 200, body: {} }
type Patch = { state: string; content: { state: string; lines: { text: string }[] } }

describe('the command', () => {
  test('keeps its output, its input and its exit code; the activity ends with its last lines', async () => {
    const { received, environment } = await serverThatReplies(OK)
    const script = 'cat; echo problem >&2; exit 3'
    const { code, stdout, stderr } = await runHeliograph(['run', '--slug', 'job', '--', 'sh', '-c', script], {
      environment: { ...environment, PATH },
      stdin: 'one\ntwo\u001b[31m red\u001b[0m',
    })
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: 'one\ntwo\u001b[31m red\u001b[0m',
      stderr: 'problem\n',
    })
    const patches = received.map(({ json }) => json as Patch)
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(patches.length).fill('PATCH /activities/job?upsert=true'),
    )
    expect(patches[0]).toMatchObject({ state: 'ongoing', content: { template: 'log', state: `sh -c ${script}` } })
    const last = patches.at(-1)
    expect(last).toMatchObject({ state: 'ended', content: { accent_color: 'red' } })
    expect(last?.content.state).toMatch(/^Failed with 3 after \d+s$/)
    expect(last?.content.lines.map(({ text }) => text).toSorted()).toEqual(
      ['one', 'two red', 'problem', `$ sh -c ${script}`].toSorted(),
    )
  })

  test('options after its name are its own', async () => {
    const { environment } = await serverThatReplies(OK)
    const ended = await runHeliograph(['run', 'echo', '--slug', '--help', '-n'], {
      environment: { ...environment, PATH },
    })
    expect(ended).toMatchObject({ code: 0, stdout: '--slug --help -n\n', stderr: '' })
  })

  test('--tty gives it a terminal if this is one, with the same arguments and exit code', async () => {
    const { received, environment } = await serverThatReplies(OK)
    const words = [
      process.execPath,
      MAIN,
      'run',
      '--slug',
      'job',
      '--tty',
      '--',
      'sh',
      '-c',
      'test -t 1 && echo "tty: $0"; exit 3',
      "it's",
    ]
    const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const options = { env: { ...environment, PATH, TERM: 'xterm' } }
    const onTerminal = promisify(execFile)('script', ['-qec', line, '/dev/null'], options)
    if (hasScript)
      await expect(onTerminal).rejects.toMatchObject({ code: 3, stdout: expect.stringContaining("tty: it's") })
    else await onTerminal.catch(() => {})
    const without = await runHeliograph(words.slice(2), { environment: { ...environment, PATH } })
    expect([without.code, without.stdout]).toEqual([3, ''])
    expect(JSON.stringify(received.map(({ json }) => json))).toContain('"ended"')
  })

  test('--no-lines leaves the terminal to it and sends no output', async () => {
    const { received, environment } = await serverThatReplies(OK)
    const args = ['run', '--no-lines', '--', 'sh', '-c', 'echo secret; exit 1']
    const { code, stdout } = await runHeliograph(args, { environment: { ...environment, PATH } })
    expect([code, stdout]).toEqual([1, 'secret\n'])
    const last = received.at(-1)?.json as Patch
    expect(last.content.lines).toMatchObject([{ text: '$ sh -c echo secret; exit 1' }])
  })

  test.each([
    ['no server answers', { HELIOGRAPH_URL: NOBODY, HELIOGRAPH_TOKEN: TOKEN }, 'cannot be reached'],
    ['there is no token', { HELIOGRAPH_URL: NOBODY }, 'no token'],
  ])('runs all the same if %s, with one line of warning', async (_, settings, message) => {
    const ended = await runHeliograph(['run', '--', 'sh', '-c', 'echo out; exit 4'], {
      environment: { ...settings, PATH },
    })
    expect([ended.code, ended.stdout]).toEqual([4, 'out\n'])
    expect(ended.stderr).toMatch(/^heliograph: not reported: [^\n]+\n$/)
    expect(ended.stderr).toContain(message)
  })

  test('gets signals, and its death by one is passed on', async () => {
    const { received, environment } = await serverThatReplies(OK)
    const script = 'trap "echo caught; exit 5" TERM; echo ready; while :; do sleep 0.05; done'
    const child = launch([MAIN, 'run', '--', 'sh', '-c', script], { environment: { ...environment, PATH } })
    const { ended, seen } = watch(child)
    await eventually(() => expect(seen.stdout).toBe('ready\n'))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 5, stdout: 'ready\ncaught\n', stderr: '' })
    const killed = await runHeliograph(['run', '--', 'sh', '-c', 'kill -KILL $$'], {
      environment: { ...environment, PATH },
    })
    expect(killed).toMatchObject({ code: null, signal: 'SIGKILL' })
    const last = received.at(-1)?.json as Patch
    expect(last.content.state).toMatch(/^Ended by SIGKILL after /)
  })

  test('127 for a command that is not there, 126 for one that is and cannot be run', async () => {
    const { environment } = await serverThatReplies(OK)
    const folder = emptyFolder()
    const run = (name: string, path = PATH) =>
      runHeliograph(['run', '--', name], { environment: { ...environment, PATH: path } })
    const missing = { code: 127, stderr: 'heliograph: cannot run no-such-command (ENOENT)\n' }
    expect(await run('no-such-command')).toMatchObject(missing)
    // To run a folder is refused with EACCES, as everything is in a folder that may not be read.
    mkdirSync(join(folder, 'no-such-command'))
    expect(await run('no-such-command', `${folder}:${PATH}`)).toMatchObject(missing)
    writeFileSync(join(folder, 'plain-file'), '', { mode: 0o644 })
    const refused = { code: 126, stderr: 'heliograph: cannot run plain-file (EACCES)\n' }
    expect(await run('plain-file', `${folder}:${PATH}`)).toMatchObject(refused)
    chmodSync(folder, 0)
    onTestFinished(() => chmodSync(folder, 0o700))
    expect(await run('no-such-command', `${folder}:${PATH}`)).toMatchObject(missing)
  })

  test('a closed pipe ends one that writes for ever', async () => {
    const { environment } = await serverThatReplies(OK)
    const env = { ...environment, PATH, NODE: process.execPath, MAIN }
    const piped = await promisify(execFile)('/bin/sh', ['-c', '"$NODE" "$MAIN" run -- yes | head -1'], { env })
    expect(piped).toEqual({ stdout: 'y\n', stderr: '' })
  })
})

test('a server shows the activity, also for a key that may only update', async () => {
  const app = await startTestApp()
  try {
    const user = await app.addUser()
    const key = await app.addKey(user, { permissions: { activities: 'update' } })
    await app.post('/activities', { slug: 'job', name: 'Job' }, user.token)
    const environment = { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: key, PATH }
    const ended = await runHeliograph(['run', '--slug', 'job', '--', 'echo', 'built'], { environment })
    expect(ended).toMatchObject({ code: 0, stdout: 'built\n', stderr: '' })
    const { state, content } = (await app.get('/activities/job', user.token)).body
    expect([state, content.lines[0].text, content.accent_color]).toEqual(['ended', 'built', 'green'])
  } finally {
    await app.stop()
  }
})

describe('reports', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are at least 2 s apart, and rare enough that an hour of output takes less than 100', async () => {
    const times: number[] = []
    const api: Api = async () => {
      times.push(performance.now())
      return { status: 200, body: undefined as never }
    }
    const report = startReport(api, 'job', 'make', () => {})
    for (let second = 0; second < 3600; second++) {
      report.add(`line ${second}`)
      await vi.advanceTimersByTimeAsync(1000)
    }
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000)
    expect(times.length).toBeGreaterThan(50)
    expect(times.length).toBeLessThan(100)
  })

  test('end with the end, also if an update waits for a slow server when the program ends', async () => {
    const states: string[] = []
    const answers: (() => void)[] = []
    const api: Api = async (_method, _path, body) => {
      states.push((body as Patch).state)
      await new Promise<void>((resolve) => answers.push(resolve))
      return { status: 200, body: undefined as never }
    }
    const report = startReport(api, 'job', 'make', () => {})
    report.add('line')
    await vi.advanceTimersByTimeAsync(3000)
    const finished = report.finish({ isSuccess: true, words: 'Done' })
    for (let round = 0; round < 3; round++) {
      for (const answer of answers) answer()
      await vi.advanceTimersByTimeAsync(0)
    }
    await finished
    expect(states).toEqual(['ongoing', 'ended'])
  })

  test('wait for the one before, so that a slow server gets one request at a time', async () => {
    let answer = () => {}
    let open = 0
    const api: Api = async () => {
      expect(++open).toBe(1)
      await new Promise<void>((resolve) => (answer = resolve))
      open--
      return { status: 200, body: undefined as never }
    }
    const report = startReport(api, 'job', 'make', () => {})
    for (let second = 0; second < 20; second++) {
      report.add(`line ${second}`)
      await vi.advanceTimersByTimeAsync(1000)
      if (second % 7 === 0) answer()
    }
  })
})

test('a line is what a terminal would show of it', () => {
  const lines: string[] = []
  const reader = lineReader((text) => lines.push(text))
  const bytes = Buffer.from('10 %\r50 %\r100 %\n\n\u001b[1mbold\u001b[0m ü\nbell\u0007\r\nlast')
  // Split inside of the two bytes of ü.
  const at = bytes.indexOf(0xc3) + 1
  reader.take(bytes.subarray(0, at))
  reader.take(bytes.subarray(at))
  reader.end()
  expect(lines).toEqual(['100 %', 'bold ü', 'bell·', 'last'])
})

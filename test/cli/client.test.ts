// What every client command does with a server's answer: one line and an exit code, whatever the server is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { startServer } from '../support/fakes/local-servers.ts'
import { NOBODY, type Reply, serverThatReplies, TOKEN } from '../support/fakes/replying-server.ts'
import { emptyFolder, MAIN, runHeliograph, runNode } from '../support/heliograph-process.ts'

async function failureOf(args: string[], { environment }: { environment: Environment }) {
  const { code, stdout, stderr } = await runCommand(args, environment)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^heliograph: [^\n]+\n$/)
  return { code, message: stderr.slice('heliograph: '.length, -1) }
}

async function failureAfter(reply: Reply) {
  const { environment } = await serverThatReplies(reply)
  return failureOf(['share', 'list'], { environment })
}

describe('exit codes', () => {
  test.each([
    [400, 2],
    [422, 2],
    [401, 3],
    [403, 3],
    [409, 3],
    [404, 4],
    [410, 4],
    [429, 5],
    [405, 6],
    [500, 6],
    [503, 6],
  ])('a problem with status %i exits with %i and prints its detail and code', async (status, code) => {
    const failure = await failureAfter({ status, body: { status, code: 'some.problem', detail: 'It is so.' } })
    expect(failure).toEqual({ code, message: 'It is so. (some.problem)' })
  })

  test.each<[string, string[], string]>([
    ['no subcommand', [], 'Usage: heliograph share'],
    ['an unknown option', ['list', '--nonsense'], "heliograph: unknown option '--nonsense'"],
    ['a missing argument', ['join'], "heliograph: missing required argument 'code'"],
    ['an argument too many', ['leave', 'a', 'b'], 'heliograph: too many arguments'],
  ])('%s exits with 2', async (_, args, message) => {
    const { code, stdout, stderr } = await runCommand(['share', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('messages', () => {
  test('a 429 says when to try again', async () => {
    const body = { code: 'rate_limit.exceeded', detail: 'Too many.', retry_after_ms: 59_001 }
    const { message } = await failureAfter({ status: 429, body })
    expect(message).toBe('Too many. (rate_limit.exceeded) Try again in 60 s.')
  })

  test.each([
    ['token.invalid', 401, 'heliograph key create'],
    ['integration_key.permission_denied', 403, 'full-access token (hla_…)'],
    ['widget.token_not_permitted', 403, 'full-access token (hla_…)'],
    ['subscription.required', 403, 'heliograph user set-plan NAME paid'],
    ['permission.editor_requires_paid_recipient', 403, 'heliograph user set-plan NAME paid'],
    ['route.not_found', 404, 'HELIOGRAPH_URL'],
  ])('%s comes with advice', async (code, status, advice) => {
    const { message } = await failureAfter({ status, body: { code, detail: 'No.' } })
    expect(message).toContain(`No. (${code}) `)
    expect(message).toContain(advice)
  })

  test('members of the body are told as options', async () => {
    const detail =
      'body.tags is only possible with acknowledge; body.thread_id must not be empty; body.title is required'
    const { message } = await failureAfter({ status: 422, body: { code: 'request.validation_failed', detail } })
    expect(message).toContain('--tag is only possible with acknowledge; --thread must not be empty; title is required')
  })

  test('a server that does not run is named', async () => {
    const environment = { HELIOGRAPH_TOKEN: TOKEN, HELIOGRAPH_URL: NOBODY }
    expect(await failureOf(['share', 'list'], { environment })).toEqual({
      code: 6,
      message: `${NOBODY} cannot be reached (ECONNREFUSED). HELIOGRAPH_URL or --url sets the address of the server.`,
    })
  })

  test('a server that breaks the connection is named', async () => {
    const { url } = await startServer((request) => request.socket.destroy())
    const failure = await failureOf(['share', 'list', '--url', url], { environment: { HELIOGRAPH_TOKEN: TOKEN } })
    expect(failure.code).toBe(6)
    expect(failure.message).toContain('cannot be reached (')
  })

  test.each<[string, Reply, string]>([
    ['a page of another server', { status: 200, body: '<html>' }, 'answers 200 without JSON of Heliograph'],
    ['an error page of a proxy', { status: 502, body: '<html>' }, 'answers 502 without JSON of Heliograph'],
    ['JSON of another server', { status: 404, body: { error: 'no' } }, 'answers 404 without JSON of Heliograph'],
    [
      'a redirect',
      { status: 301, headers: { location: 'https://helio.example/shares' } },
      'redirects to https://helio.example/shares',
    ],
  ])('%s exits with 6', async (_, reply, message) => {
    const failure = await failureAfter(reply)
    expect(failure.code).toBe(6)
    expect(failure.message).toContain(message)
  })

  test('control characters of a response do not reach the terminal', async () => {
    const body = { code: 'some.problem', detail: 'red \u001b[31m, \u202e and\nmore' }
    const { message } = await failureAfter({ status: 409, body })
    expect(message).toBe('red ·[31m, · and more (some.problem)')
  })
})

describe('settings', () => {
  test.each(['', ' \n'])('without a token (%j) nothing is sent, and the message says how to get one', async (token) => {
    const { received, environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const failure = await failureOf(['share', 'list'], { environment: { ...environment, HELIOGRAPH_TOKEN: token } })
    expect(failure.code).toBe(2)
    expect(failure.message).toContain('HELIOGRAPH_TOKEN')
    expect(received).toEqual([])
  })

  test.each(['ftp://helio.example', 'helio.example', 'https://ada:secret@helio.example'])(
    'the address %j exits with 2 and is not repeated',
    async (url) => {
      const failure = await failureOf(['share', 'list', '--url', url], { environment: { HELIOGRAPH_TOKEN: TOKEN } })
      expect(failure.code).toBe(2)
      expect(failure.message).toMatch(/^--url must be an http:\/\/ or https:\/\/ address/)
      expect(failure.message).not.toContain('secret')
    },
  )

  test('the token is sent as a bearer token, and --url overrides the variable', async () => {
    const { received, environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const elsewhere = { ...environment, HELIOGRAPH_URL: NOBODY }
    const { code } = await runHeliograph(['share', 'list', '--url', environment.HELIOGRAPH_URL], {
      environment: elsewhere,
    })
    expect(code).toBe(0)
    expect(received).toMatchObject([{ method: 'GET', url: '/shares', headers: { authorization: `Bearer ${TOKEN}` } }])
  })

  test('a heliograph.config.json in the working folder cannot name another server', async () => {
    const thief = await serverThatReplies({ status: 200, body: { items: [] } })
    const { environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'heliograph.config.json'), JSON.stringify({ url: thief.environment.HELIOGRAPH_URL }))
    const { code } = await runHeliograph(['share', 'list'], { environment, cwd })
    expect([code, thief.received]).toEqual([0, []])
  })
})

describe('a machine without a server', () => {
  test('nothing is written to the working folder', async () => {
    const { environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const cwd = emptyFolder()
    expect(await runHeliograph(['share', 'list'], { environment, cwd })).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cwd)).toEqual([])
  })

  // The coverage that Node.js writes lists every module that was loaded.
  test('of all packages only those of the command line are loaded', async () => {
    const { environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const coverage = emptyFolder()
    await runHeliograph(['share', 'list'], { environment: { ...environment, NODE_V8_COVERAGE: coverage } })
    const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
    const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
    const packages = urls.flatMap((url) => /node_modules\/([^/]+)/.exec(url)?.[1] ?? [])
    expect([...new Set(packages)].toSorted()).toEqual(['commander', 'ipaddr.js'])
    expect(urls.filter((url) => /dist\/(?:store|operations|http)\//.test(url))).toEqual([])
  })

  test('the fetch of Node.js is not loaded: it takes as long as all the rest', async () => {
    const { environment } = await serverThatReplies({ status: 200, body: { items: [] } })
    const atExit =
      'process.on("exit", () => console.error(process.moduleLoadList.filter((name) => /undici/.test(name)).join()))'
    const args = ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, MAIN, 'share', 'list']
    expect(await runNode(args, { environment })).toMatchObject({ code: 0, stderr: '\n' })
  })
})

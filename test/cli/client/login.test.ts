// heliograph login, logout and profiles, and which server and token other commands take.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import type { Environment } from '../../../src/runtime/config.ts'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { eventually } from '../../support/eventually.ts'
import { serverThatReplies, TOKEN } from '../../support/fakes/replying-server.ts'
import { emptyFolder, MAIN, runHeliograph, watch } from '../../support/heliograph-process.ts'

const app = useTestApp()

// Runs a command on a terminal.
const hasScript = spawnSync('script', ['--version']).status === 0

const fileIn = (folder: string) => join(folder, 'heliograph', 'profiles.json')
const profilesIn = (folder: string) => JSON.parse(readFileSync(fileIn(folder), 'utf8')).profiles
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

function store(folder: string, content: unknown): void {
  mkdirSync(dirname(fileIn(folder)), { recursive: true })
  const text = typeof content === 'string' ? content : JSON.stringify({ profiles: content })
  writeFileSync(fileIn(folder), text, { mode: 0o600 })
}

describe('login', () => {
  test('a token on standard input is checked and stored where only its owner can read it', async () => {
    const [folder, user] = [emptyFolder(), await app.addUser()]
    const environment = { XDG_CONFIG_HOME: folder }
    const login = ['login', `${app.url}/`, '--profile', 'work']
    const { code, stdout, stderr } = await runHeliograph(login, { environment, stdin: `${user.defaultKey}\n` })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`logged in to ${app.url} as ${user.userId}, with the key Default; stored as profile work\n`)
    expect(profilesIn(folder)).toEqual({ work: { url: app.url, token: user.defaultKey } })
    expect([modeOf(fileIn(folder)), modeOf(dirname(fileIn(folder)))]).toEqual(['600', '700'])
    expect(readdirSync(dirname(fileIn(folder)))).toEqual(['profiles.json'])

    const wrong = await runHeliograph(login, { environment, stdin: `hla_${'x'.repeat(32)}` })
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('token.invalid') })
    const nothing = await runHeliograph(login, { environment, stdin: '' })
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('standard input must be one token') })
    expect(profilesIn(folder)).toEqual({ work: { url: app.url, token: user.defaultKey } })
  })

  test.runIf(hasScript)('on a terminal the token is asked for and not echoed; Ctrl-C leaves', async () => {
    const [folder, user] = [emptyFolder(), await app.addUser()]
    const settings = { XDG_CONFIG_HOME: folder, PATH: process.env.PATH, NODE: process.execPath, MAIN }
    const typing = async (keys: string) => {
      const login = `"$NODE" "$MAIN" login ${app.url}`
      const terminal = spawn('script', ['-qec', login, '/dev/null'], { env: settings, stdio: ['pipe', 'pipe', 'pipe'] })
      const { ended, seen } = watch(terminal)
      await eventually(() => expect(seen.stdout).toContain('Token'))
      terminal.stdin.write(keys)
      return ended
    }
    const { code, stdout } = await typing(`${user.token}\r`)
    expect([code, stdout]).toEqual([0, expect.stringContaining('logged in')])
    expect(stdout).not.toContain(user.token)
    expect(profilesIn(folder)).toEqual({ default: { url: app.url, token: user.token } })
    // 128 and the number of SIGINT.
    expect(await typing('\u0003')).toMatchObject({ code: 130 })
  })

  test('a sign-in link creates a token; logout --revoke ends it', async () => {
    const [folder, user] = [emptyFolder(), await app.addUser()]
    const run = (...args: string[]) => runCommand(args, { HOME: folder })
    const link = `${app.url}/app/#signin=${await createSignInCode(app.app.ctx, user.userId)}`
    expect(await run('login', link)).toMatchObject({ code: 0, stderr: '' })
    const { token } = profilesIn(join(folder, '.config')).default
    expect(token).toMatch(/^hla_/)
    expect(await run('send', 'T', 'B')).toMatchObject({ code: 0 })
    expect(await run('login', link)).toMatchObject({ code: 3 })
    expect(await run('logout', '--revoke')).toMatchObject({ code: 0, stdout: 'removed profile default\n' })
    expect((await app.get('/auth/me', token)).status).toBe(401)
    expect(await run('logout')).toMatchObject({ code: 4, stderr: 'heliograph: there is no profile default\n' })
  })

  test('a folder that cannot be written is told before a one-time code is used up', async () => {
    const [folder, user] = [emptyFolder(), await app.addUser()]
    writeFileSync(join(folder, 'heliograph'), 'in the way')
    const link = `${app.url}/app/#signin=${await createSignInCode(app.app.ctx, user.userId)}`
    const failed = await runCommand(['login', link], { XDG_CONFIG_HOME: folder })
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^heliograph: .* cannot be written \(E\w+\)\n$/),
    })
    expect(await runCommand(['login', link], { XDG_CONFIG_HOME: emptyFolder() })).toMatchObject({ code: 0 })
    expect(await runCommand(['login', link])).toMatchObject({ code: 1, stderr: expect.stringContaining('set HOME') })
  })
})

test('profiles lists names and addresses, never tokens', async () => {
  const folder = emptyFolder()
  const run = (...args: string[]) => runCommand(['profiles', ...args], { XDG_CONFIG_HOME: folder })
  expect((await run()).stdout).toBe('no profiles; "heliograph login URL" stores one\n')
  store(folder, {
    default: { url: 'https://a.example', token: TOKEN },
    work: { url: 'https://b.example', token: TOKEN },
  })
  expect((await run()).stdout).toBe('*  default  https://a.example\n   work     https://b.example\n')
  expect((await run('--json')).stdout).not.toContain(TOKEN)
})

describe('server and token', () => {
  const me = (environment: Environment, ...args: string[]) => runCommand(['me', ...args], environment)

  test('flags win over the environment, which wins over the profile', async () => {
    const account = { status: 200, body: { id: 'u', nickname: null } }
    const [first, second] = [await serverThatReplies(account), await serverThatReplies(account)]
    const folder = emptyFolder()
    const [one, two] = [first, second].map(({ environment }) => environment.HELIOGRAPH_URL.replace(/\/$/, ''))
    store(folder, { default: { url: one, token: 'hla_one' }, two: { url: two, token: 'hla_two' } })
    const seen = async (environment: Environment, ...args: string[]) => {
      first.received.length = second.received.length = 0
      const { code } = await me({ XDG_CONFIG_HOME: folder, ...environment }, ...args, '--json')
      const servers = [first, second].map(({ received }) => received.map(({ headers }) => headers.authorization))
      return code === 0 ? servers : code
    }
    expect(await seen({})).toEqual([['Bearer hla_one'], []])
    expect(await seen({ HELIOGRAPH_PROFILE: 'two' })).toEqual([[], ['Bearer hla_two']])
    expect(await seen({ HELIOGRAPH_TOKEN: 'hla_x' })).toEqual([['Bearer hla_x'], []])
    expect(await seen({ HELIOGRAPH_TOKEN: 'hla_x', HELIOGRAPH_URL: two })).toEqual([[], ['Bearer hla_x']])
    expect(await seen({ HELIOGRAPH_TOKEN: 'hla_x', HELIOGRAPH_URL: one }, '--profile', 'two')).toEqual([
      [],
      ['Bearer hla_two'],
    ])
    expect(await seen({ HELIOGRAPH_TOKEN: 'hla_x' }, '--url', String(two))).toEqual([[], ['Bearer hla_x']])
    // The token of a profile goes to no other server.
    expect(await seen({}, '--url', String(two))).toBe(2)
    expect(await seen({ HELIOGRAPH_URL: two })).toBe(2)
    expect([...first.received, ...second.received]).toEqual([])
  })

  test('a missing profile and a damaged file are told in one line', async () => {
    const folder = emptyFolder()
    const environment = { XDG_CONFIG_HOME: folder }
    store(folder, { work: { url: 'https://a.example', token: TOKEN } })
    expect(await me(environment, '--profile', 'wrok')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'heliograph: there is no profile wrok; there are work. "heliograph login URL --profile wrok" creates it\n',
    })
    for (const text of ['{', '[]', '{"profiles": {"default": {"url": 1}}}']) {
      store(folder, text)
      const { code, stderr } = await me(environment)
      expect([code, stderr], text).toEqual([2, expect.stringMatching(/^heliograph: .*does not hold profiles.*\n$/)])
    }
    const { environment: told } = await serverThatReplies({ status: 200, body: { id: 'u' } })
    expect(await me({ ...environment, ...told }, '--json')).toMatchObject({ code: 0, stderr: '' })
  })

  test('a file that others can read is warned about', async () => {
    const { environment } = await serverThatReplies({ status: 200, body: { id: 'u' } })
    const folder = emptyFolder()
    store(folder, { default: { url: environment.HELIOGRAPH_URL.replace(/\/$/, ''), token: TOKEN } })
    expect(await me({ XDG_CONFIG_HOME: folder }, '--json')).toMatchObject({ code: 0, stderr: '' })
    chmodSync(fileIn(folder), 0o644)
    expect(await me({ XDG_CONFIG_HOME: folder }, '--json')).toMatchObject({
      code: 0,
      stderr: `heliograph: other users can read ${fileIn(folder)}; run chmod 600 on it\n`,
    })
  })
})

// The commands for accounts, with and without a running server.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../support/cli/run-command.ts'
import { readTerminalQr } from '../support/cli/terminal-qr.ts'
import { createClient, type TestClient } from '../support/client.ts'
import { copySqliteTemplate } from '../support/database/sqlite-template.ts'
import { emptyFolder, type Program, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const HLA = /^hla_[0-9A-Za-z]{32}$/
const HLK = /^hlk_[0-9A-Za-z]{32}$/

function newDataFolder() {
  return { environment: { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' } }
}

async function withRunningServer() {
  const program = newDataFolder()
  await copySqliteTemplate(program.environment.HELIOGRAPH_DATA_DIR)
  const server = await startHeliograph(['serve'], program)
  return { program, api: createClient(server.url) }
}

async function json(program: Program, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], program.environment)
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  return JSON.parse(stdout)
}

async function text(program: Program, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, program.environment)
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return stdout
}

describe('without a running server', () => {
  test('user add, list, set-plan and delete print one JSON object each', async () => {
    const program = newDataFolder()
    await json(program, 'migrate')
    expect(await json(program, 'user', 'list')).toEqual({ items: [] })
    const added = await json(program, 'user', 'add', 'anna')
    expect(added).toEqual({
      user_id: expect.stringMatching(UUID),
      name: 'anna',
      plan: 'free',
      token: expect.stringMatching(HLA),
      default_key: expect.stringMatching(HLK),
    })
    const { user_id } = added
    expect(await json(program, 'user', 'set-plan', 'anna', 'paid')).toEqual({ user_id, name: 'anna', plan: 'paid' })
    expect(await json(program, 'user', 'list')).toEqual({
      items: [
        {
          user_id,
          name: 'anna',
          plan: 'paid',
          operator: false,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        },
      ],
    })
    expect(await json(program, 'user', 'delete', 'anna', '--yes')).toMatchObject({ user_id, name: 'anna' })
    expect(await json(program, 'user', 'list')).toEqual({ items: [] })
  })

  test('user add takes a plan, and prints instructions without --json', async () => {
    const program = newDataFolder()
    expect(await json(program, 'user', 'add', 'bert', '--plan', 'paid')).toMatchObject({ plan: 'paid' })
    expect(await text(program, 'user', 'add', 'carla')).toMatch(/added carla \(free\).*hla_.*hlk_.*only now/s)
    expect(await text(program, 'user', 'list')).toMatch(/^bert {3}paid .*\ncarla {2}free /)
  })

  test('signin prints a link for the first account or the named one', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    await json(program, 'user', 'add', 'bert')
    const link = /^https:\/\/helio\.example\/app\/#signin=[0-9A-Za-z]{32}$/
    const options = ['--public-url', 'https://helio.example/']
    expect(await json(program, 'signin', ...options)).toEqual({ url: expect.stringMatching(link) })
    expect((await text(program, 'signin', '--user', 'bert', ...options)).trimEnd()).toMatch(link)
  })

  test.each<[string, string[], string]>([
    ['an unknown user', ['user', 'delete', 'nobody'], 'There is no user named "nobody".'],
    ['an unknown user', ['token', 'create', '--user', 'nobody'], 'There is no user named "nobody".'],
    ['no account at all', ['signin'], 'There is no account yet'],
  ])('%s is refused in one line: %j', async (_, args, message) => {
    const { environment } = newDataFolder()
    await runCommand(['migrate'], environment)
    const { code, stdout, stderr } = await runCommand(args, environment)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^heliograph: [^\n]*\n$/)
    expect(stderr).toContain(message)
  })

  test.each([[['signin']], [['user', 'list']], [['org', 'list']], [['import', 'gotify', 'gotify.db', '--dry-run']]])(
    '%j makes no database in a folder that has none: it is the wrong folder',
    async (args) => {
      const { environment } = newDataFolder()
      const { code, stdout, stderr } = await runCommand(args, environment)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^heliograph: there is no database in [^\n]*; give the data folder of the server[^\n]*\n$/)
      expect(existsSync(join(environment.HELIOGRAPH_DATA_DIR, 'heliograph.db'))).toBe(false)
    },
  )

  // A test has no terminal.
  test('user delete needs --yes where nobody can be asked', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    const { code, stdout, stderr } = await runCommand(['user', 'delete', 'anna'], program.environment)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('This deletes anna with everything in the account. Give --yes')
    expect((await json(program, 'user', 'list')).items).toHaveLength(1)
  })

  test('signin --qr prints the link as a code that a camera can read', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    const output = await text(program, 'signin', '--qr', '--public-url', 'https://helio.example')
    const [link = '', , ...code] = output.trimEnd().split('\n')
    expect(link).toMatch(/^https:\/\/helio\.example\/app\/#signin=/)
    expect(readTerminalQr(code)).toBe(link)
    expect(await text(program, 'signin', '--qr')).toContain('A phone cannot reach http://127.0.0.1:')
  })

  test('a name can be used once', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    const { code, stderr } = await runCommand(['user', 'add', 'anna'], program.environment)
    expect([code, stderr]).toEqual([1, 'heliograph: There is a user named "anna" already.\n'])
  })

  test('a warning goes to stderr, so that a program can read what the command prints', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    rmSync(join(program.environment.HELIOGRAPH_DATA_DIR, 'signing.key'))
    const { code, stdout, stderr } = await runHeliograph(['user', 'list', '--json'], program)
    expect([code, JSON.parse(stdout).items]).toEqual([0, [expect.objectContaining({ name: 'anna' })]])
    expect(JSON.parse(stderr)).toMatchObject({ level: 'warn', msg: expect.stringContaining('a secret is missing') })
  })

  test('several concurrent commands on a new folder all succeed', async () => {
    const program = newDataFolder()
    const added = ['a', 'b', 'c'].map((name) => runHeliograph(['user', 'add', name, '--json'], program))
    for (const { code, stdout, stderr } of await Promise.all(added)) {
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout).token).toMatch(HLA)
    }
    const { items } = await json(program, 'user', 'list')
    expect(items.map(({ name }: { name: string }) => name).toSorted()).toEqual(['a', 'b', 'c'])
  })
})

describe('next to a running server', () => {
  test('accounts, their plans, who is an operator, tokens and sign-in links change immediately', async () => {
    const { program, api } = await withRunningServer()
    await changeAccount(program, api)
    await createTokens(program, api)
  })

  async function changeAccount(program: Program, api: TestClient): Promise<void> {
    const { token, default_key } = await json(program, 'user', 'add', 'anna')
    expect((await api.get('/widgets', default_key)).status).toBe(200)
    expect((await api.get('/auth/me', token)).body).toMatchObject({ subscribed: false, nickname: 'anna' })
    await json(program, 'user', 'set-plan', 'anna', 'paid')
    expect((await api.get('/auth/me', token)).body.subscribed).toBe(true)
    expect((await api.get('/auth/me', token)).body).not.toHaveProperty('operator')
    expect(await json(program, 'user', 'set-operator', 'anna', 'on')).toMatchObject({ name: 'anna', operator: true })
    expect((await api.get('/auth/me', token)).body.operator).toBe(true)
    expect((await api.get('/auth/me', default_key)).body).not.toHaveProperty('operator')
    await json(program, 'user', 'set-operator', 'anna', 'off')
    expect((await api.get('/auth/me', token)).body).not.toHaveProperty('operator')
    // The account that the first start creates.
    expect(await text(program, 'user', 'list')).toMatch(/^operator {2}paid .* {2}operator\nanna {6}paid .*Z$/m)
    await json(program, 'user', 'delete', 'anna', '--yes')
    expect((await api.get('/auth/me', token)).status).toBe(401)
    expect((await api.get('/widgets', default_key)).status).toBe(401)
  }

  // A widget token works for widgets only, a sign-in link once.
  async function createTokens(program: Program, api: TestClient): Promise<void> {
    const { token } = await json(program, 'token', 'create', '--user', 'operator')
    expect(token).toMatch(HLA)
    expect((await api.get('/auth/me', token)).body.subscribed).toBe(true)
    const widget = await json(program, 'token', 'create', '--user', 'operator', '--widget')
    expect(widget.token).toMatch(/^hlw_/)
    expect((await api.get('/widgets', widget.token)).status).toBe(200)
    expect((await api.get('/auth/me', widget.token)).status).toBe(403)
    const { url } = await json(program, 'signin')
    const code = url.split('#signin=')[1]
    const signedIn = await api.post('/auth/link', { code })
    expect(signedIn.status).toBe(200)
    expect((await api.get('/auth/me', signedIn.body.token)).status).toBe(200)
    expect((await api.post('/auth/link', { code })).status).toBe(401)
  }
})

// heliograph share, against a running server of which the command knows only the address and a token.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/
const CODE = /[2-9A-HJ-NP-Z]{8}/
const PUBLIC_URL = 'https://helio.example'

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: PUBLIC_URL })

// Ada, who is on the paid plan and has an activity "build", and Bert, who is on the free plan.
async function createHousehold() {
  async function addAccount(name: string, plan: 'free' | 'paid') {
    const account = await app.addUser(plan)
    await app.patch('/auth/me', { nickname: name }, account.token)
    return account
  }
  const [ada, bert] = [await addAccount('Ada', 'paid'), await addAccount('Bert', 'free')]
  expect((await app.post('/activities', { slug: 'build', name: 'Build' }, ada.token)).status).toBe(201)
  const run = (token: string, ...args: string[]) =>
    runCommand(['share', ...args], { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })
  return { api: app, ada, bert, ...commandsOf(run) }
}

type Run = (token: string, ...args: string[]) => ReturnType<typeof runCommand>

function commandsOf(run: Run) {
  async function text(token: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(token, ...args)
    expect([code, stderr], args.join(' ')).toEqual([0, ''])
    return stdout
  }
  return {
    text,
    json: async (token: string, ...args: string[]) => JSON.parse(await text(token, ...args, '--json')),
    // Fails unless the command printed nothing but one line of error.
    async failure(token: string, ...args: string[]) {
      const { code, stdout, stderr } = await run(token, ...args)
      expect([stdout, stderr.trimEnd().split('\n').length], stderr).toEqual(['', 1])
      return { code, message: stderr }
    },
  }
}

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000

describe('share create', () => {
  test('prints code, link, role, uses left and expiry', async () => {
    const { ada, text } = await createHousehold()
    const lines = (await text(ada.token, 'create', 'build')).trimEnd().split('\n')
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`^code {7}${CODE.source}$`)),
      expect.stringMatching(new RegExp(`^link {7}${PUBLIC_URL}/app/#share=${CODE.source}$`)),
      'shares     build',
      'role       viewer',
      'uses left  1',
      expect.stringMatching(/^expires {4}\d{4}-\d\d-\d\dT\S+Z$/),
    ])
  })

  test('--json prints what the API returns, and the options reach it', async () => {
    const { api, ada, json } = await createHousehold()
    const code = await json(ada.token, 'create', 'build', '--role', 'editor', '--uses', '3', '--expires', '10m')
    expect(code).toMatchObject({ slug: 'build', role: 'editor', max_uses: 3, use_count: 0 })
    expect(secondsBetween(code.created_at, code.expires_at)).toBe(600)
    // The list is sorted by time.
    app.advanceSeconds(1)
    const pattern = await json(ada.token, 'create', '--pattern', 'deploy-*', '--expires', '7d')
    expect(pattern).toMatchObject({ slug_pattern: 'deploy-*', role: 'viewer' })
    expect(secondsBetween(pattern.created_at, pattern.expires_at)).toBe(604_800)
    expect((await api.get('/shares/codes', ada.token)).body.items).toEqual([pattern, code])
  })

  test.each<[string[], string]>([
    [[], 'name one activity by its slug, or several by --pattern'],
    [['build', '--pattern', 'deploy-*'], 'not both'],
    [['deploy-*'], `"deploy-*" is a pattern; write --pattern 'deploy-*'`],
    [['build', '--role', 'owner'], 'viewer, editor'],
    [['build', '--uses', '0'], 'a whole number from 1 to 1000'],
    [['build', '--uses', 'many'], 'a whole number from 1 to 1000'],
    [['build', '--expires', '59s'], 'a duration from 1m to 7d'],
    [['build', '--expires', '8d'], 'a duration from 1m to 7d'],
    [['build', '--expires', 'soon'], 'a duration from 1m to 7d'],
  ])('2 for %j, before a server or a token is needed', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(['share', 'create', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^heliograph: /)
    expect(stderr).toContain(message)
  })

  test('2, 3 and 4 as the server answers', async () => {
    const { ada, bert, failure } = await createHousehold()
    const cases: [string, string[], number, string][] = [
      [ada.token, ['no slug'], 2, 'slug.invalid'],
      [ada.token, ['--pattern', 'deploy'], 2, 'request.validation_failed'],
      [ada.defaultKey, ['build'], 3, 'full-access token (hla_…)'],
      ['hla_mistyped', ['build'], 3, 'token.invalid'],
      [bert.token, ['--pattern', '*'], 3, 'heliograph user set-plan NAME paid'],
      [ada.token, ['unknown'], 4, 'activity.not_found'],
      [bert.token, ['build'], 4, 'activity.not_found'],
    ]
    for (const [token, args, code, message] of cases) {
      const failed = await failure(token, 'create', ...args)
      expect(failed, args.join(' ')).toEqual({ code, message: expect.stringContaining(message) })
    }
  })
})

describe('share join, list and leave', () => {
  test('a code is looked at, joined by, listed on both sides, and left', async () => {
    const { ada, bert, text, json } = await createHousehold()
    expect(await text(bert.token, 'list')).toBe('no shares yet\n')
    const { code } = await json(ada.token, 'create', 'build')
    const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase()

    expect(await text(bert.token, 'join', typed, '--dry-run')).toBe('would join build as viewer, shared by Ada\n')
    expect(await json(bert.token, 'list')).toEqual({ items: [] })

    const joined = await text(bert.token, 'join', typed)
    const id = UUID.exec(joined)?.[0] ?? ''
    expect(joined).toBe(`joined build as viewer, shared by Ada\nto leave: heliograph share leave ${id}\n`)
    expect(await text(bert.token, 'join', typed)).toMatch(/^had already joined build as viewer, shared by Ada\n/)

    const heading = `ID${' '.repeat(36)}ACTIVITY  ROLE    SHARED\n`
    expect(await text(bert.token, 'list')).toBe(`${heading}${id}  build     viewer  by Ada\n`)
    expect(await text(ada.token, 'list')).toBe(`${heading}${id}  build     viewer  with Bert\n`)

    expect(await text(bert.token, 'leave', id)).toBe(`ended share ${id}\n`)
    expect(await json(ada.token, 'list')).toEqual({ items: [] })
  })

  test('--json prints what the API returns', async () => {
    const { api, ada, bert, json } = await createHousehold()
    const { code } = await json(ada.token, 'create', 'build')
    expect(await json(bert.token, 'join', code, '--dry-run')).toMatchObject({ valid: true, would: { slug: 'build' } })
    const share = await json(bert.token, 'join', code)
    expect(share).toMatchObject({ direction: 'received', role: 'viewer', slug: 'build', owner_nickname: 'Ada' })
    const list = await json(ada.token, 'list')
    expect(list).toEqual((await api.get('/shares', ada.token)).body)
    expect(await json(ada.token, 'leave', share.id)).toEqual({ id: share.id, deleted: true })
    expect((await api.get('/shares', bert.token)).body).toEqual({ items: [] })
  })

  test('3 for the own code and for a plan that does not suffice, 4 for a code or share that is not there', async () => {
    const { ada, bert, json, failure } = await createHousehold()
    const viewer = await json(ada.token, 'create', 'build')
    const editor = await json(ada.token, 'create', 'build', '--role', 'editor')
    const nobody = '00000000-0000-4000-8000-000000000000'
    const cases: [string, string[], number, string][] = [
      [ada.token, ['join', viewer.code], 3, 'share.own'],
      [bert.token, ['join', editor.code], 3, 'heliograph user set-plan'],
      [bert.token, ['join', 'AAAAAAAA'], 4, 'share.code_invalid'],
      [bert.token, ['join', 'AAAAAAAA', '--dry-run'], 4, 'share.code_invalid'],
      [bert.token, ['leave', nobody], 4, 'share.not_found'],
      [bert.token, ['leave', 'not an id'], 4, 'share.not_found'],
    ]
    for (const [token, args, code, message] of cases) {
      expect(await failure(token, ...args), args.join(' ')).toEqual({ code, message: expect.stringContaining(message) })
    }
  })

  test('5 after too many refused codes', async () => {
    const { api, bert, failure } = await createHousehold()
    for (let i = 0; i < 20; i++) await api.post('/shares/join', { code: 'AAAAAAAA' }, bert.token)
    expect(await failure(bert.token, 'join', 'AAAAAAAA')).toEqual({
      code: 5,
      message: expect.stringMatching(/rate_limit\.exceeded.*Try again in \d+ s\./),
    })
  })
})

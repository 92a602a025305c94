// heliograph quiet, mute, hook and key storm: against a server, whose answers say what was set.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quietWindow } from '../../../src/cli/client/on-call/quiet-window.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'

describe('a window', () => {
  test.each([
    ['22:00-07:00', ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
    ['mon-fri 22:00-07:00', ['mon', 'tue', 'wed', 'thu', 'fri']],
    ['sun,Sat 22:00-07:00', ['sat', 'sun']],
    ['sat-mon,wed 22:00-07:00', ['mon', 'wed', 'sat', 'sun']],
  ])('%s', (text, days) => {
    expect(quietWindow(text)).toEqual({ days, from: '22:00', to: '07:00' })
  })

  test.each(['22-07', '24:00-07:00', 'mo 22:00-07:00', 'mon-fri-sun 22:00-07:00', ', 22:00-07:00'])(
    'not %s',
    (text) => {
      expect(() => quietWindow(text)).toThrow('22:00-07:00')
    },
  )
})

describe('commands', () => {
  let app: TestApp
  let user: TestUser
  let environment: Record<string, string | undefined>
  beforeAll(async () => {
    app = await startTestApp()
    user = await app.addUser()
    environment = { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: user.token, PATH: process.env.PATH, TZ: 'UTC' }
  })
  afterAll(() => app.stop())
  const heliograph = (...args: string[]) => runCommand(args, environment)
  const printed = async (...args: string[]) => {
    const { code, stdout, stderr } = await heliograph(...args)
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  test('quiet set, show, now and off', async () => {
    const set = await printed('quiet', 'set', 'mon-fri 22:00-07:00', 'sat,sun 23:00-09:00', '--passes', 'critical')
    expect(set).toBe(
      'mon,tue,wed,thu,fri  22:00-07:00\nsat,sun              23:00-09:00\n' +
        `UTC; critical and above pass; a digest at the end\n${set.trim().split('\n').at(-1)}\n`,
    )
    expect(await printed('quiet', 'now', '2h')).toMatch(/^quiet until \S+Z\n$/)
    expect(JSON.parse(await printed('quiet', 'show', '--json'))).toMatchObject({ until: expect.any(String) })
    await printed('quiet', 'off', '--now')
    expect((await app.get('/auth/me/quiet-hours', user.token)).body.windows).toHaveLength(2)
    await printed('quiet', 'off')
    expect(await printed('quiet', 'show')).toBe('no quiet hours; not quiet now\n')
    expect((await heliograph('quiet', 'set', '22-07')).code).toBe(2)
  })

  test('mute source, list and rm; key storm; hook list and storm', async () => {
    const [line, id = ''] = (await printed('mute', 'source', 'ci', '8h')).trim().split('\n')
    expect(line).toMatch(/^muted ci until \S+Z$/)
    await printed('mute', 'thread', 'deploys', '1h')
    expect(await printed('mute', 'list')).toMatch(/ thread +deploys .*\n.* source +ci +until \S+Z\n$/)
    expect(await printed('mute', 'rm', id)).toBe(`ended mute ${id}\n`)
    const [key] = (await app.get('/integrations/keys', user.token)).body
    await printed('key', 'create', 'CI', '--storm', '5')
    const made = (await app.get('/integrations/keys', user.token)).body.find(
      ({ name }: { name: string }) => name === 'CI',
    )
    expect(made.storm).toEqual({ pushes_per_minute: 5 })
    expect(await printed('key', 'storm', made.id, 'off')).toBe(`storm shield of ${made.id}: off\n`)
    const hook = (await app.post('/integrations/hooks', { name: 'Kuma', kind: 'generic', key_id: key.id }, user.token))
      .body
    expect(await printed('hook', 'storm', hook.id, '10')).toBe(`storm shield of ${hook.id}: 10 pushes a minute\n`)
    expect(await printed('hook', 'list')).toMatch(/Kuma +generic +10 pushes a minute +received never\n$/)
    expect((await heliograph('hook', 'storm', hook.id, '601')).code).toBe(2)
  })
})

// The commands for organizations, on the database, with and without a running server.
import { describe, expect, test } from 'vitest'
import { runCommand } from '../support/cli/run-command.ts'
import { createClient } from '../support/client.ts'
import { emptyFolder, type Program, startHeliograph } from '../support/heliograph-process.ts'

function newDataFolder(): Program {
  return { environment: { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' } }
}

async function lines(program: Program, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], program.environment)
  expect([code, stderr], args.join(' ')).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const json = async (program: Program, ...args: string[]) => (await lines(program, ...args))[0]

async function failure(program: Program, ...args: string[]) {
  const { code, stderr } = await runCommand(args, program.environment)
  return { code, stderr }
}

describe('without a running server', () => {
  test('an organization is created, filled, listed, put on another plan and deleted', async () => {
    const program = newDataFolder()
    const [anna, bert] = [await json(program, 'user', 'add', 'anna'), await json(program, 'user', 'add', 'bert')]
    const org = await json(program, 'org', 'create', 'Example', '--owner', 'anna')
    expect(org).toEqual({ org_id: expect.any(String), name: 'Example', plan: 'paid' })
    const { org_id } = org
    const added = await json(program, 'org', 'add-member', 'Example', bert.user_id, '--role', 'admin')
    expect(added).toEqual({ org_id, user_id: bert.user_id, role: 'admin' })
    // Again: the role is set.
    await json(program, 'org', 'add-member', org_id, 'bert')
    expect((await json(program, 'org', 'members', 'Example')).items).toMatchObject([
      { user_id: anna.user_id, name: 'anna', role: 'owner' },
      { user_id: bert.user_id, name: 'bert', role: 'member' },
    ])
    expect(await json(program, 'org', 'set-plan', 'Example', 'free')).toEqual({ org_id, name: 'Example', plan: 'free' })
    expect((await json(program, 'org', 'list')).items).toMatchObject([{ org_id, name: 'Example', plan: 'free' }])
    await json(program, 'org', 'remove-member', 'Example', 'bert')
    expect((await json(program, 'org', 'members', 'Example')).items).toHaveLength(1)
    const unasked = await failure(program, 'org', 'delete', 'Example')
    expect(unasked.stderr).toContain('This deletes Example with everything in the organization. Give --yes')
    expect(await json(program, 'org', 'delete', 'Example', '--yes')).toMatchObject({ org_id, deleted: true })
    expect((await json(program, 'org', 'list')).items).toEqual([])
  })

  test('refusals: unknown names, a name that two organizations have, the last owner', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    await json(program, 'user', 'add', 'bert')
    const { org_id } = await json(program, 'org', 'create', 'Same', '--owner', 'anna')
    await json(program, 'org', 'add-member', org_id, 'bert')
    expect((await failure(program, 'org', 'members', 'None')).stderr).toContain('no organization "None"')
    expect((await failure(program, 'org', 'create', 'New', '--owner', 'nobody')).stderr).toContain('no user "nobody"')
    // An organization is no person.
    expect((await failure(program, 'org', 'create', 'New', '--owner', org_id)).stderr).toContain('no user')
    expect((await failure(program, 'signin', '--user', org_id)).code).toBe(1)
    expect((await failure(program, 'org', 'remove-member', 'Same', 'anna')).stderr).toContain('last owner')
    expect((await failure(program, 'user', 'delete', 'anna', '--yes')).stderr).toContain(
      'last owner of the organization "Same"',
    )
    expect((await failure(program, 'org', 'add-member', 'Same', 'bert', '--group', 'ops')).stderr).toContain('no group')
    await json(program, 'org', 'create', 'Same', '--owner', 'anna')
    expect((await failure(program, 'org', 'members', 'Same')).stderr).toContain('Several organizations')
  })

  test('user add --count prints one object a line, and adds the accounts to an organization', async () => {
    const program = newDataFolder()
    await json(program, 'user', 'add', 'anna')
    await json(program, 'org', 'create', 'Example', '--owner', 'anna')
    const added = await lines(program, 'user', 'add', '--count', '120', '--prefix', 'p-', '--org', 'Example')
    expect(added.map(({ name }) => name)).toEqual(Array.from({ length: 120 }, (_, at) => `p-${at + 1}`))
    expect((await json(program, 'org', 'members', 'Example')).items).toHaveLength(121)
    expect((await failure(program, 'user', 'add', 'name', '--count', '2')).code).toBe(2)
    expect((await failure(program, 'user', 'add')).code).toBe(2)
  })
})

test('with a running server: a key of the organization works at once, limited to what it names', async () => {
  const program = newDataFolder()
  const server = await startHeliograph(['serve'], program)
  const api = createClient(server.url)
  const { token, user_id } = await json(program, 'user', 'add', 'anna', '--plan', 'paid')
  const { org_id } = await json(program, 'org', 'create', 'Example', '--owner', 'anna')
  const group = (await api.post(`/orgs/${org_id}/groups`, { name: 'ops' }, token)).body
  const levels = 'notifications:schedule,activities:manage'
  const terms = ['--permissions', levels, '--groups', 'ops', '--members', 'anna']
  const made = await json(program, 'org', 'key', 'Example', 'CI', ...terms)
  expect(made).toEqual({ id: expect.any(String), key: expect.stringMatching(/^hlk_/) })
  const me = (await api.get('/auth/me', made.key)).body
  expect(me).toMatchObject({ id: org_id, organization: { name: 'Example' } })
  expect(me.integration_key).toMatchObject({
    permissions: { notifications: 'schedule', activities: 'manage', widgets: 'none' },
    target: { group_ids: [group.id], tag_ids: [], member_ids: [user_id] },
  })
  expect((await failure(program, 'org', 'key', 'Example', 'CI', '--groups', 'nope')).code).toBe(1)
  expect((await failure(program, 'org', 'key', 'Example', 'CI', '--permissions', 'widgets:read')).code).toBe(2)
})

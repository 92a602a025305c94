// heliograph import as the operator sees it: what the report says, and what to do next.
import { expect, test } from 'vitest'
import { ntfyCache, ntfyUsers } from '../api/imports/foreign-databases.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { emptyFolder } from '../support/heliograph-process.ts'

const environment = () => ({ HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PUBLIC_URL: 'https://helio.example' })

function ntfyFiles(): string[] {
  const token = { user_id: 'u_1', token: 'tk_kq6hwcd3ccqyecmc5t1l8wxsv4o2e', label: 'backup', expires: 0 }
  const sent = { topic: 'backup', message: 'done', time: Math.floor(Date.now() / 1000) - 60 }
  const users = ntfyUsers([{ id: 'u_1', user: 'grace', role: 'admin' }], [token])
  return [
    users,
    ntfyCache([
      { ...sent, mid: 'a', user: 'u_1' },
      { ...sent, mid: 'b' },
    ]),
  ]
}

test('the report counts what was brought, says why the rest was not, and what to do next', async () => {
  const [settings, files] = [environment(), ntfyFiles()]
  await runCommand(['migrate'], settings)
  const foreseen = await runCommand(['import', 'ntfy', ...files, '--dry-run'], settings)
  expect([foreseen.code, foreseen.stderr]).toEqual([0, ''])
  expect(foreseen.stdout).toMatch(/^accounts {2}1 would be brought\nkeys {6}1 would be brought\n/)
  expect(foreseen.stdout).not.toContain('next:')
  const brought = await runCommand(['import', 'ntfy', ...files], settings)
  expect(brought.stdout.split('\n')).toEqual([
    'accounts  1 brought',
    'keys      1 brought',
    'apps      0 brought',
    'messages  1 brought',
    'not brought:',
    expect.stringMatching(/^ {2}passwords {9}1 {2}only their hashes are stored/),
    expect.stringMatching(/^ {2}rights per topic {2}1 {2}an account reads its own inbox/),
    '  messages          1  they were sent without a user; --into NAME brings them into one account',
    'next:',
    '  senders keep their tokens, and send to https://helio.example/ntfy',
    '  heliograph signin --user NAME prints a link for the console',
    '',
  ])
  const again = await runCommand(['import', 'ntfy', ...files], settings)
  expect(again.stdout).toMatch(/^messages {2}0 brought {2}1 were there already$/m)
  expect(again.stdout).not.toContain('next:')
})

test('a plan that this server does not have is wrong usage', async () => {
  const settings = environment()
  await runCommand(['migrate'], settings)
  const { code, stdout, stderr } = await runCommand(['import', 'gotify', 'gotify.db', '--plan', 'gold'], settings)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('there is no plan "gold"; this server has free, paid')
})

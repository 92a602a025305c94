// The help of every command and every option.
import { expect, test, vi } from 'vitest'
import { EXIT_CODES } from '../../src/cli/client/errors.ts'
import { environmentName, fallbackInWords, flagName, SETTING_NAMES, SETTINGS } from '../../src/runtime/settings.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { runHeliograph } from '../support/heliograph-process.ts'

// Each test starts several processes, which is slow on shared machines.
vi.setConfig({ testTimeout: 60_000 })

async function help(...command: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHeliograph([...command, '--help'])
  expect([code, stderr], command.join(' ')).toEqual([0, ''])
  return stdout
}

// The names in the list of commands.
const subcommands = (text: string) =>
  [...(text.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => name !== 'help')

const inOneLine = (text: string) => text.replace(/\s+/g, ' ')

test('every command has a usage line and a description', async () => {
  const seen: string[] = []
  async function visit(command: string[]) {
    const text = await help(...command)
    const [usage = '', , description = ''] = text.split('\n')
    expect(usage).toContain(['Usage: heliograph', ...command].join(' '))
    expect(description.length, command.join(' ')).toBeGreaterThan(10)
    seen.push(command.join(' '))
    await Promise.all(subcommands(text).map((name) => visit([...command, name])))
  }
  await visit([])
  expect(seen).toEqual(
    expect.arrayContaining(['serve', 'work', 'signin', 'user add', 'user list', 'user set-plan', 'user delete']),
  )
  expect(seen).toContain('token create')
  const ofOrganizations = ['create', 'list', 'members', 'add-member', 'remove-member', 'set-plan', 'delete', 'key']
  expect(seen).toEqual(expect.arrayContaining(ofOrganizations.map((name) => `org ${name}`)))
  expect(seen).toEqual(expect.arrayContaining(['share create', 'share list', 'share join', 'share leave']))
})

test('serve lists every setting with its flag, variable, meaning and default', async () => {
  const text = inOneLine(await help('serve'))
  for (const name of SETTING_NAMES) {
    const { form, meaning } = SETTINGS[name]
    expect(text).toContain(`${flagName(name)} <${form}>`)
    expect(text).toContain(inOneLine(`${meaning} (default: ${fallbackInWords(name)}; ${environmentName(name)})`))
  }
})

test('work lists the settings of every delivery channel, and none of the HTTP server', async () => {
  const text = await help('work')
  const ways = ['apnsKeyFile', 'apnsKeyId', 'apnsTeamId', 'apnsTopic', 'smtpUrl', 'mailFrom', 'outboundAllow'] as const
  for (const name of ways) expect(text).toContain(flagName(name))
  expect(text).not.toContain(flagName('port'))
})

test('the help topic "clients" tells the variables and every exit code', async () => {
  const { code, stdout } = await runHeliograph(['help', 'clients'])
  expect(code).toBe(0)
  for (const name of ['URL', 'TOKEN', 'PROFILE']) expect(stdout).toContain(`HELIOGRAPH_${name}`)
  for (const exitCode of [0, 1, ...Object.values(EXIT_CODES)])
    expect(stdout).toMatch(new RegExp(`^  ${exitCode}  [a-z]`, 'm'))
})

test('--version is the version of the package', async () => {
  expect(await runHeliograph(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test.each([[['nonsense']], [['serve', '--nonsense']], [['user', 'add']], [['user', 'add', 'x', '--plan', 'gold']]])(
  '%j is refused with an error message',
  async (args) => {
    const { code, stdout, stderr } = await runHeliograph(args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error: /)
  },
)

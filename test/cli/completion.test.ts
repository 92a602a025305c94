// The completion scripts, in real shells where they are installed.
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { flagName, SETTING_NAMES } from '../../src/runtime/settings.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { NOBODY, serverThatReplies, TOKEN } from '../support/fakes/replying-server.ts'
import { emptyFolder } from '../support/heliograph-process.ts'

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await runCommand(['completion', shell])
  expect(code).toBe(0)
  return stdout
}

// What bash offers when the last of these words is being typed.
async function bashOffers(...lines: string[][]): Promise<string[][]> {
  const asked = lines.map((words) => `offer heliograph ${words.map((word) => `'${word}'`).join(' ')}`)
  const program = `${await scriptFor('bash')}
heliograph() { printf '%s\\n' night office work; }
offer() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _heliograph
  echo "\${COMPREPLY[*]}"
}
complete -p heliograph
${asked.join('\n')}`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', program])
  expect(stderr).toBe('')
  const [registered, ...offers] = stdout.trimEnd().split('\n')
  expect(registered).toBe('complete -o default -F _heliograph heliograph')
  return offers.map((line) => line.split(' '))
}

test('bash completes commands, subcommands, options and their values', async () => {
  const [commands, subcommands, options, roles, afterArguments, topics, shells, free] = await bashOffers(
    ['s'],
    ['widget', ''],
    ['send', '--le'],
    ['share', 'create', '--role', ''],
    ['send', 'Title', 'Body', '--sub'],
    ['help', 'se'],
    ['completion', ''],
    ['send', '--source', 's'],
    ['serve', '--'],
  )
  expect(commands).toEqual(['send', 'schedule', 'share', 'serve', 'signin'])
  expect(subcommands).toEqual(['set', 'get', 'show', 'list', 'rm', '--help'])
  expect(options).toEqual(['--level'])
  expect(roles).toEqual(['viewer', 'editor'])
  expect(afterArguments).toEqual(['--subtitle'])
  expect(topics).toEqual(['send', 'serve', 'settings'])
  expect(shells).toEqual(['bash', 'zsh', 'fish', '--help'])
  expect(free).toEqual([''])
})

test('bash completes every setting of serve, and files after run --', async () => {
  const [flags, ofRun] = await bashOffers(['serve', '--'], ['run', '--', 'se'], ['me', ''])
  expect(flags).toEqual(expect.arrayContaining(SETTING_NAMES.map(flagName)))
  expect(ofRun).toEqual([''])
})

test('bash completes the names of profiles and slugs that the program prints', async () => {
  const [profiles, widgets, escalations, options] = await bashOffers(
    ['send', '--profile', 'w'],
    ['widget', 'get', 'o'],
    ['send', '--escalation', ''],
    ['widget', 'get', '--js'],
  )
  expect(profiles).toEqual(['work'])
  expect(widgets).toEqual(['office'])
  expect(escalations).toEqual(['night', 'office', 'work'])
  expect(options).toEqual(['--json'])
})

describe('the names that shells ask for', () => {
  const ask = (names: string, environment: Environment) => runCommand(['completion', 'bash', names], environment)

  test('come from the server or the profiles, without what a shell would expand', async () => {
    const items = ['office', '$(touch /tmp/x)', 'a b', '`id`', 'lab-2'].map((slug) => ({ slug }))
    const { environment, received } = await serverThatReplies({ status: 200, body: { items } })
    expect(await ask('widgets', environment)).toEqual({ code: 0, stdout: 'office\nlab-2\n', stderr: '' })
    expect(received.map(({ url }) => url)).toEqual(['/widgets'])
    const home = emptyFolder()
    mkdirSync(join(home, 'heliograph'))
    const profiles = { work: { url: 'http://a', token: 'b' }, $x: { url: 'http://a', token: 'b' } }
    writeFileSync(join(home, 'heliograph', 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 })
    expect(await ask('profiles', { XDG_CONFIG_HOME: home })).toEqual({ code: 0, stdout: 'work\n', stderr: '' })
  })

  test.each([
    ['without a token', 'widgets', {}],
    ['without a server', 'widgets', { HELIOGRAPH_URL: NOBODY, HELIOGRAPH_TOKEN: TOKEN }],
    ['of an unknown kind', 'nonsense', { HELIOGRAPH_TOKEN: TOKEN }],
  ])('are none %s, and nothing is said', async (_when, names, environment) => {
    expect(await ask(names, environment)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

test.each([
  ['bash', ['-n']],
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('%s accepts the syntax of its script', async (shell, check) => {
  const script = await scriptFor(shell)
  expect(script).toContain('share create')
  if (!isInstalled(shell)) return
  const file = join(emptyFolder(), 'completion')
  writeFileSync(file, script)
  const { status, stderr } = spawnSync(shell, [...check, file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

// Types into an interactive zsh, and returns what stands on its line after a tab.
async function zshCompletes(typed: string, completed: string): Promise<string> {
  const file = join(emptyFolder(), 'completion.zsh')
  writeFileSync(file, await scriptFor('zsh'))
  const program = `zmodload zsh/zpty
zpty shell env TERM=dumb zsh -f -i
zpty -w shell 'heliograph() { print office; }; PS1=; autoload -Uz compinit; compinit -u -D; source ${file}; print READ''Y'
zpty -r shell seen '*READY*'
zpty -w -n shell $'${typed}\t'
zpty -r shell seen '*${completed}*'
print -r -- "$seen"
zpty -d shell`
  const { stdout } = await promisify(execFile)('zsh', ['-f', '-c', program])
  return stdout
}

test.skipIf(!isInstalled('zsh'))('zsh completes commands and options', async () => {
  expect(await zshCompletes('heliograph sen', 'send ')).toContain('heliograph send ')
  expect(await zshCompletes('heliograph send --lev', 'level ')).toContain('heliograph send --level ')
  expect(await zshCompletes('heliograph widget get off', 'office ')).toContain('heliograph widget get office ')
})

test('2 for a shell that is not known', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' })
})

// The completion scripts, in real shells where they are installed.
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { flagName, SETTING_NAMES } from '../../src/runtime/settings.ts'
import { runCommand } from '../support/cli/run-command.ts'
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
  expect(subcommands).toEqual(['set', 'get', 'list', 'rm', '--help'])
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
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source ${file}; print READ''Y'
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
})

test('2 for a shell that is not known', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' })
})

// The help of every command and every option.
import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadProgram } from '../../src/boot/program.ts'
import { EXIT_CODES } from '../../src/cli/client/errors.ts'
import { environmentName, fallbackInWords, flagName, SETTING_NAMES, SETTINGS } from '../../src/runtime/settings.ts'
import { VERSION } from '../../src/runtime/version.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { runHeliograph } from '../support/heliograph-process.ts'

const [WIDTH, HEIGHT] = [80, 54]

type Page = { name: string; command: Command; lines: string[] }

const pages: Page[] = []
beforeAll(async () => {
  const visit = (command: Command, name: string) => {
    let text = ''
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => WIDTH }).outputHelp()
    pages.push({ name, command, lines: text.trimEnd().split('\n') })
    for (const child of command.commands) visit(child, `${name} ${child.name()}`)
  }
  visit(await loadProgram(), 'heliograph')
})

const inOneLine = (text: string) => text.replace(/\s+/g, ' ')

describe('every command', () => {
  test('has a usage line and a description', () => {
    const wrong = pages.filter(({ name, command, lines }) => {
      return !lines[0]?.startsWith(`Usage: ${name} `) || command.description().length < 10
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
    const names = pages.map(({ name }) => name)
    const some = [
      'serve',
      'work',
      'signin',
      'user set-plan',
      'org add-member',
      'token create',
      'share join',
      'send',
      'ask',
    ]
    expect(names).toEqual(expect.arrayContaining(some.map((name) => `heliograph ${name}`)))
  })

  test(`fits ${WIDTH} columns and ${HEIGHT} lines`, () => {
    const large = pages.filter(({ lines }) => lines.length > HEIGHT || lines.some((line) => [...line].length > WIDTH))
    expect(large.map(({ name, lines }) => `${name}: ${lines.length} lines`)).toEqual([])
  })

  test('ends with an example, whose options it has', () => {
    const wrong = pages.filter(({ name, command, lines }) => {
      const [heading, example = ''] = lines.slice(-2)
      const flags = example.match(/(?<= )--[a-z-]+/g) ?? []
      const known = command.options.map(({ long }) => long)
      const isGroup = command.commands.length > 0
      return (
        heading !== 'Example:' || !example.includes(name) || !(isGroup || flags.every((flag) => known.includes(flag)))
      )
    })
    expect(wrong.map(({ name, lines }) => `${name}: ${lines.at(-1)}`)).toEqual([])
  })

  test('that prints something has --json', () => {
    const silent = ['serve', 'work', 'run', 'mcp', 'completion'].map((name) => `heliograph ${name}`)
    const without = pages.filter(({ name, command }) => {
      const hasJson = command.options.some(({ long }) => long === '--json')
      return command.commands.length === 0 && !silent.includes(name) && !hasJson
    })
    expect(without.map(({ name }) => name)).toEqual([])
  })
})

describe('settings', () => {
  test('the topic "settings" lists every setting with its flag, variable, meaning and default', async () => {
    const text = inOneLine((await runCommand(['help', 'settings'])).stdout)
    for (const name of SETTING_NAMES) {
      const { form, meaning } = SETTINGS[name]
      expect(text).toContain(`${flagName(name)} <${form}>`)
      expect(text).toContain(inOneLine(`${meaning} (default: ${fallbackInWords(name)}; ${environmentName(name)})`))
    }
  })

  test('serve accepts all of them; work those of every delivery channel, and none of the HTTP server', () => {
    const flagsOf = (name: string) => pages.find((page) => page.name === name)?.command.options.map(({ long }) => long)
    expect(flagsOf('heliograph serve')).toEqual(expect.arrayContaining(SETTING_NAMES.map(flagName)))
    const ways = [
      'apnsKeyFile',
      'apnsKeyId',
      'apnsTeamId',
      'apnsTopic',
      'smtpUrl',
      'mailFrom',
      'outboundAllow',
    ] as const
    expect(flagsOf('heliograph work')).toEqual(expect.arrayContaining(ways.map(flagName)))
    expect(flagsOf('heliograph work')).not.toContain(flagName('port'))
  })
})

test('serve --help shows its settings in groups, and in at most 100 columns when piped', async () => {
  const { stdout } = await runHeliograph(['serve', '--help'])
  expect(stdout.match(/^\S.*:$/gm)).toEqual(['Options:', 'Listening:', 'Database:', 'Example:'])
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
})

describe('heliograph help', () => {
  test('the topic "clients" tells the variables and every exit code', async () => {
    const { code, stdout } = await runCommand(['help', 'clients'])
    expect(code).toBe(0)
    for (const name of ['URL', 'TOKEN', 'PROFILE']) expect(stdout).toContain(`HELIOGRAPH_${name}`)
    for (const exitCode of [0, 1, ...Object.values(EXIT_CODES)])
      expect(stdout).toMatch(new RegExp(`^  ${exitCode}  [a-z]`, 'm'))
  })

  test('shows the help of a command, and of the program; an unknown word is wrong usage', async () => {
    const ofCommand = await runCommand(['help', 'share', 'join'])
    expect(ofCommand).toEqual(await runCommand(['share', 'join', '--help']))
    expect(ofCommand).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: heliograph share join') })
    expect(await runCommand(['help'])).toEqual(await runCommand(['--help']))
    expect(await runCommand(['help', 'nonsense'])).toMatchObject({ code: 2, stdout: '' })
  })
})

test('--version is the version of the package', async () => {
  expect(await runHeliograph(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test.each<[string[], string]>([
  [['nonsense'], 'heliograph'],
  [['sned', 'T'], 'heliograph'],
  [['serve', '--nonsense'], 'heliograph serve'],
  [['user', 'add'], 'heliograph user add'],
  [['user', 'add', 'x', '--plan', 'gold'], 'heliograph user add'],
  [['share', 'jion', 'x'], 'heliograph share'],
])('%j is refused with an error message and a hint', async (args, name) => {
  const { code, stdout, stderr } = await runCommand(args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^heliograph: [^\n]+\n(\(Did you mean [^\n]+\)\n)?"heliograph[^\n]*" lists what it accepts\n$/)
  expect(stderr).toContain(`"${name} --help"`)
})

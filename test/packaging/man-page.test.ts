// The manual page: it has every command and option, and formatters accept it.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { manPage } from '../../scripts/man-page.mjs'
import { loadProgram } from '../../src/boot/program.ts'
import { HELP_TOPICS } from '../../src/cli/help-topics.ts'
import { emptyFolder } from '../support/heliograph-process.ts'

const page = async () =>
  manPage(await loadProgram(), { clients: HELP_TOPICS.clients(), settings: HELP_TOPICS.settings() })
const hasGroff = spawnSync('groff', ['--version']).status === 0

function wordsOf(command: Command, path: string): string[] {
  if (command.commands.length > 0) return command.commands.flatMap((child) => wordsOf(child, `${path} ${child.name()}`))
  const options = command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags)
  return [`${path} [options]`, ...options]
}

test('names every command, option and setting', async () => {
  const text = (await page()).replaceAll('\\-', '-')
  const missing = wordsOf(await loadProgram(), 'heliograph').filter((word) => !text.includes(word))
  expect(missing).toEqual([])
  expect(text).toContain('HELIOGRAPH_DATABASE_URL_FILE')
})

test.skipIf(!hasGroff)('groff formats it without a warning', async () => {
  const options = { input: await page(), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync('groff', ['-Kutf8', '-man', '-Tutf8', '-ww', '-P-cbou'], options)
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('heliograph send [options] <title> [body]')
})

test('npm installs the page with the command line that servers hand out', () => {
  const prefix = emptyFolder()
  const options = ['--global', '--offline', '--silent', '--prefix', prefix]
  execFileSync('npm', ['install', ...options, resolve('dist/clients/heliograph-cli.tgz')], { cwd: prefix })
  expect(existsSync(join(prefix, 'share/man/man1/heliograph.1'))).toBe(true)
})

// npm 11 installs no page that is named by a string.
test('the package of the server names its page in an array', () => {
  expect(JSON.parse(readFileSync('package.json', 'utf8')).man).toEqual(['dist/heliograph.1'])
})

// The manual page: it has every command and option, and formatters accept it.
import { spawnSync } from 'node:child_process'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { manPage } from '../../scripts/man-page.mjs'
import { loadProgram } from '../../src/boot/program.ts'
import { HELP_TOPICS } from '../../src/cli/help-topics.ts'

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

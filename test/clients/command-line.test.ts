// The command line that the server hands out: complete without any other package, and without the commands of the server.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { EXIT_CODES } from '../../src/cli/client/errors.ts'
import { emptyFolder, runNode } from '../support/heliograph-process.ts'

function unpacked(): { folder: string; main: string; manifest: Record<string, unknown> } {
  const folder = emptyFolder()
  execFileSync('tar', ['-xzf', resolve('dist/clients/heliograph-cli.tgz'), '-C', folder, '--strip-components=1'])
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { folder, main: join(folder, manifest.bin.heliograph), manifest }
}

test('the package has no dependencies and no scripts, and imports only its own files and Node.js', () => {
  const { folder, manifest } = unpacked()
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([])
  expect(manifest).toMatchObject({ name: '@heliograph/cli', private: true })
  const code = readdirSync(join(folder, 'dist/cli')).map((file) => readFileSync(join(folder, 'dist/cli', file), 'utf8'))
  const imported = code.flatMap((text) =>
    [...text.matchAll(/(?:^import (?:[^'"]*? from )?|\bimport\()['"]([^'"]+)['"]/gm)].map(([, name]) => String(name)),
  )
  expect(imported.length).toBeGreaterThan(50)
  const isOwn = (name: string) => name.startsWith('./') || builtinModules.includes(name.replace(/^node:/, ''))
  expect(imported.filter((name) => !isOwn(name))).toEqual([])
})

test('the help lists the commands for senders only', async () => {
  const { main } = unpacked()
  const { code, stdout } = await runNode([main, '--help'])
  const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name)
  expect([code, listed]).toEqual([0, expect.arrayContaining(['send', 'ask', 'run', 'mcp', 'completion'])])
  expect(listed.filter((name) => ['serve', 'work', 'signin', 'user', 'doctor'].includes(String(name)))).toEqual([])
  expect(stdout).toContain('(a command, clients)')
})

test.each(['signin', 'serve'])('%s says where it runs', async (command) => {
  const { code, stderr } = await runNode([unpacked().main, command])
  expect([code, stderr]).toEqual([
    EXIT_CODES.usage,
    `heliograph: "${command}" is a command of the server: run it where the server runs\n`,
  ])
})

// heliograph backup and restore: their files, messages and exit codes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/cli/run-command.ts'
import { emptyFolder, runHeliograph } from '../support/heliograph-process.ts'

test('a file is not replaced without --force, and what cannot be restored is refused in one line', async () => {
  const cwd = emptyFolder()
  const [data, file, other] = ['data', 'b', 'other'].map((name) => join(cwd, name)) as [string, string, string]
  const run = (...args: string[]) => runCommand(args, { HELIOGRAPH_DATA_DIR: data })
  expect(await run('backup', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^heliograph: there is no database .*HELIOGRAPH_DATA_DIR\n$/),
  })
  expect(readdirSync(cwd)).toEqual([])

  await run('user', 'add', 'anna')
  writeFileSync(file, 'precious')
  expect(await run('backup', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/b exists already.*--force\n$/),
  })
  expect(readFileSync(file, 'utf8')).toBe('precious')
  expect(await run('restore', file, '--data-dir', other)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^heliograph: the backup is damaged.*\n$/),
  })
  expect(existsSync(other)).toBe(false)

  expect(await run('backup', data, '--force')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not a regular file/),
  })

  const written = await runHeliograph(['backup', 'b', '--force', '--json'], { cwd })
  expect(JSON.parse(written.stdout)).toEqual({
    file: 'b',
    rows: expect.any(Number),
    bytes: readFileSync(file).length,
  })
  expect(readdirSync(cwd).sort()).toEqual(['b', 'data'])
  const restored = await runHeliograph(['restore', 'b', '--data-dir', 'other', '--json'], { cwd })
  expect(JSON.parse(restored.stdout)).toMatchObject({ rows: JSON.parse(written.stdout).rows })
  expect((await run('user', 'list', '--data-dir', other)).stdout).toMatch(/^anna /)
})

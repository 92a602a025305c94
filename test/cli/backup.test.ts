// heliograph backup and restore: their files, messages and exit codes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, runHeliograph } from '../support/heliograph-process.ts'

test('a file is not replaced without --force, and what cannot be restored is refused in one line', async () => {
  const cwd = emptyFolder()
  const run = (...args: string[]) => runHeliograph(args, { cwd })
  expect(await run('backup', 'b')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^heliograph: there is no database .*HELIOGRAPH_DATA_DIR\n$/),
  })
  expect(readdirSync(cwd)).toEqual([])

  await run('user', 'add', 'anna')
  writeFileSync(join(cwd, 'b'), 'precious')
  expect(await run('backup', 'b')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/b exists already.*--force\n$/),
  })
  expect(readFileSync(join(cwd, 'b'), 'utf8')).toBe('precious')
  expect(await run('restore', 'b', '--data-dir', 'other')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^heliograph: the backup is damaged.*\n$/),
  })
  expect(existsSync(join(cwd, 'other'))).toBe(false)

  expect(await run('backup', 'data', '--force')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not a regular file/),
  })

  const written = await run('backup', 'b', '--force', '--json')
  expect(JSON.parse(written.stdout)).toEqual({
    file: 'b',
    rows: expect.any(Number),
    bytes: readFileSync(join(cwd, 'b')).length,
  })
  expect(readdirSync(cwd).sort()).toEqual(['b', 'data'])
  const restored = await run('restore', 'b', '--data-dir', 'other', '--json')
  expect(JSON.parse(restored.stdout)).toMatchObject({ rows: JSON.parse(written.stdout).rows })
  expect((await run('user', 'list', '--data-dir', 'other')).stdout).toMatch(/^anna /)
})

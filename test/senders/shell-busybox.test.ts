// The shell function in the shell of busybox, with busybox's own sed, awk, od and tr.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { expectShellWorks } from '../clients/shell-steps.ts'
import { useTestApp } from '../support/app.ts'
import { unpackFromDebian } from './debian-package.ts'

const app = useTestApp()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
  await unpackFromDebian(['busybox-static'], folder)
  for (const tool of ['sh', 'sed', 'awk', 'od', 'tr', 'date', 'sleep']) {
    await symlink('bin/busybox', join(folder, tool))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('sends, asks and shows an activity from busybox', async () => {
  vi.stubEnv('PATH', [folder, process.env.PATH].join(delimiter))
  await expectShellWorks([join(folder, 'sh')], app)
  vi.unstubAllEnvs()
})

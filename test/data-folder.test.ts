// File modes of the data folder, and valid names of accounts.
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openContext } from '../src/boot/context.ts'
import { addUser } from '../src/operations/accounts/accounts.ts'
import { loadConfig } from '../src/runtime/config.ts'
import { createLog } from '../src/runtime/log.ts'
import { lockDataFolder } from '../src/store/engine/sqlite/process-lock.ts'

async function openInFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-folder-'))
  chmodSync(folder, 0o755)
  const config = loadConfig({}, { HELIOGRAPH_DATA_DIR: folder }, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  onTestFinished(async () => {
    await stop()
    rmSync(folder, { recursive: true })
  })
  return { folder, ctx }
}

test('a folder that others could read gets mode 700, and secrets have mode 600', async () => {
  const { folder } = await openInFolder()
  const modeOf = (path: string) => statSync(path).mode & 0o777
  expect(modeOf(folder)).toBe(0o700)
  expect(modeOf(join(folder, 'vapid-keys.json'))).toBe(0o600)
  expect(modeOf(join(folder, 'signing.key'))).toBe(0o600)
  onTestFinished(lockDataFolder(folder))
  expect(modeOf(join(folder, 'serving.lock'))).toBe(0o600)
})

test.each(['', ' ', ' ada', 'ada ', 'x'.repeat(65)])('an account cannot be named %j', async (name) => {
  const { ctx } = await openInFolder()
  await expect(addUser(ctx, name, 'free')).rejects.toMatchObject({ code: 'request.validation_failed' })
})

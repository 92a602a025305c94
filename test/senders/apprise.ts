// Apprise: the command in HELIOGRAPH_TEST_APPRISE, or Debian's package, unpacked into a folder of the test.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { unpackFromDebian } from './debian-package.ts'

const run = promisify(execFile)
const GIVEN = process.env.HELIOGRAPH_TEST_APPRISE
const PYTHON = '/usr/bin/python3'
export const hasApprise = GIVEN !== undefined || (existsSync('/usr/bin/apt-get') && existsSync(PYTHON))
// Debian's package, and what it needs of others.
const LIBRARIES =
  'certifi chardet charset-normalizer click idna markdown oauthlib requests requests-oauthlib six urllib3 yaml'
const PACKAGES = ['apprise', ...LIBRARIES.split(' ').map((name) => `python3-${name}`)]

type Apprise = (options: string[]) => Promise<unknown>

export function useApprise(): Apprise {
  let folder: string
  let apprise: Apprise
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
    if (GIVEN !== undefined) apprise = (options) => run(GIVEN, options)
    else if (hasApprise) apprise = await unpackApprise(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return (options) => apprise(options)
}

async function unpackApprise(folder: string): Promise<Apprise> {
  await unpackFromDebian(PACKAGES, folder)
  const env = { ...process.env, PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages') }
  return (options) => run(PYTHON, [join(folder, 'usr/bin/apprise'), ...options], { env })
}

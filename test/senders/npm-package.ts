// Installs a client from npm into a folder that is deleted after the tests of the file.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

// `load` returns what the package exports, from the beginning of the first test on.
export function useNpmPackage<Exports>(name: string, version: string): { load(): Promise<Exports> } {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
    await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${name}@${version}`])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return {
    async load() {
      const entry = createRequire(join(folder, 'package.json')).resolve(name)
      return (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as Exports
    },
  }
}

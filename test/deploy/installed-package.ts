// The package as npm packs it, installed globally into a prefix of its own, as on a machine that has only Node.js.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { megabytesOf, secondsSince } from './measures.ts'

export type InstalledPackage = {
  // The program as the shell finds it, a link into the package.
  program: string
  // Where the package and its dependencies are.
  folder: string
  tarballMegabytes: number
  installedMegabytes: number
  installSeconds: number
}

export function useInstalledPackage(): () => InstalledPackage {
  let installed: InstalledPackage
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-package-'))
  beforeAll(() => {
    installed = installPackage(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  return () => installed
}

function installPackage(temporary: string): InstalledPackage {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', temporary])
  const tarball = join(temporary, String(readdirSync(temporary).find((name) => name.endsWith('.tgz'))))
  const prefix = join(temporary, 'prefix')
  const startedAt = performance.now()
  execFileSync('npm', ['install', '--global', '--silent', '--prefix', prefix, tarball], { cwd: temporary })
  const installSeconds = secondsSince(startedAt)
  const folder = join(prefix, 'lib/node_modules/@heliograph/server')
  return {
    program: join(prefix, 'bin/heliograph'),
    folder,
    tarballMegabytes: megabytesOf(tarball),
    installedMegabytes: megabytesOf(folder),
    installSeconds,
  }
}

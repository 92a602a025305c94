// The packages of package-lock.json, by whether an installation has them or only the development.
import { readFileSync } from 'node:fs'

export type LockedPackage = { name: string; version: string; licence?: string; isForDevelopment: boolean }

type Entry = { version: string; license?: string; dev?: boolean }

export function lockedPackages(): LockedPackage[] {
  const { packages }: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, dev = false }]) => ({
      name: String(path.split('node_modules/').pop()),
      version,
      licence: license,
      isForDevelopment: dev,
    }))
}

// The software bill of materials names every package of an installation, and no other.
import { execFileSync } from 'node:child_process'
import { expect } from 'vitest'
import { longTest } from '../support/nightly.ts'
import { lockedPackages } from './lock-file.ts'

type Component = { name: string; version: string; licenses?: unknown[] }

longTest('R54 npm run sbom lists the packages of an installation with their licences', () => {
  const bill = JSON.parse(execFileSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8' }))
  const expected = lockedPackages()
    .filter(({ isForDevelopment }) => !isForDevelopment)
    .map(({ name, version }) => `${name}@${version}`)
  const components: Component[] = bill.components
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: '@heliograph/server' } } })
  expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(expected))
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([])
})

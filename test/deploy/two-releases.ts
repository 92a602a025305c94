// Two releases, made by scripts/release.mjs in a clone of this checkout: what is committed here, and a patch of it with one migration
// more. Each is unpacked from its package, with the dependencies of this checkout.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

// `main`: of the unpacked package.
export type Release = { version: string; main: string }

const MIGRATION = `
MIGRATIONS.push({
  name: '9999-next',
  statements: [
    sql\`alter table users add column shoe_size bigint not null default 40\`,
    sql\`alter table notifications add column shoe_size bigint\`,
  ],
})
`

export function useTwoReleases(): () => { older: Release; newer: Release } {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-releases-'))
  let releases: { older: Release; newer: Release }
  beforeAll(() => {
    const clone = cloneInto(join(folder, 'clone'))
    const older = release(clone, folder)
    appendFileSync(join(clone.path, 'src/store/engine/migrate.ts'), MIGRATION)
    clone.commit('Add a migration')
    releases = { older, newer: release(clone, folder) }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => releases
}

type Clone = ReturnType<typeof cloneInto>

function cloneInto(path: string) {
  execFileSync('git', ['clone', '--quiet', '.', path])
  const git = (...args: string[]) => execFileSync('git', args, { cwd: path, encoding: 'utf8' }).trim()
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
  symlinkSync(resolve('node_modules'), join(path, 'node_modules'))
  writeFileSync(join(path, '.git/info/exclude'), 'node_modules\n')
  return { path, git, commit: (message: string) => git('commit', '--quiet', '--all', '--message', message) }
}

// The version of package.json if it has no tag yet, else the next patch.
function release({ path, git, commit }: Clone, folder: string): Release {
  const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const isReleased = git('tag', '--list', `v${version}`) !== ''
  if (isReleased) {
    const changes = join(path, 'CHANGELOG.md')
    const text = readFileSync(changes, 'utf8')
    if (!text.includes('\n## Unreleased\n')) {
      writeFileSync(changes, text.replace('# Changelog\n', '# Changelog\n\n## Unreleased\n\n- A test.\n'))
      commit('Say what changed')
    }
  }
  const which = isReleased ? 'patch' : version
  execFileSync('npm', ['run', '--silent', 'release', '--', which, '--skip-bench'], { cwd: path, stdio: 'inherit' })
  return unpack(path, folder, git('describe', '--exact-match').slice(1))
}

function unpack(clone: string, folder: string, version: string): Release {
  const files = join(clone, 'release', version)
  for (const [, sum, name = ''] of readFileSync(join(files, 'SHA256SUMS'), 'utf8').matchAll(/^(\w+) {2}(.+)$/gm)) {
    expect(hash('sha256', readFileSync(join(files, name)))).toBe(sum)
  }
  const target = join(folder, version)
  mkdirSync(target)
  execFileSync('tar', ['-xzf', join(files, `heliograph-server-${version}.tgz`), '-C', target, '--strip-components=1'])
  symlinkSync(resolve('node_modules'), join(target, 'node_modules'))
  return { version, main: join(target, 'dist/main.js') }
}

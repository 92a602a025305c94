// scripts/release.mjs in a repository of its own, made of the files that name the version.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PLACES } from '../../scripts/release.mjs'
import { VERSION } from '../../src/runtime/version.ts'

const SCRIPT = resolve('scripts/release.mjs')
const FILES = PLACES.map(([file]) => file)

function createRepository(changelog: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of FILES) cpSync(file, join(folder, file))
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  for (const name of ['bench', 'scripts']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'scripts/setup.mjs'), '')
  writeFileSync(join(folder, 'bench/run.mjs'), BENCH)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.org')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Work')
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' })
  return { folder, git, release }
}

// Stands for the benchmark: says what it is asked, and finds the release v9.8.5 faster.
const BENCH = "console.log(...process.argv.slice(2)); process.exitCode = process.argv.includes('v9.8.5') ? 1 : 0"

const versionsIn = (folder: string) => {
  const found = PLACES.flatMap(([file, place]) =>
    Array.from(readFileSync(join(folder, file), 'utf8').matchAll(place), ([version]) => version),
  )
  return { count: found.length, versions: new Set(found) }
}

const CHANGES = '# Changelog\n\n## 9.8.7 (2026-12-01)\n\n- More.\n\n## 0.2.0 (2026-11-18)\n\n- Much.\n'

test('every file names the version of this program', () => {
  expect(versionsIn('.').versions).toEqual(new Set([VERSION]))
})

test('a release sets the version in every place, commits that and tags the commit', () => {
  const { folder, git, release } = createRepository(CHANGES)
  const { stderr, status } = release('9.8.7')
  expect([status, stderr]).toEqual([0, ''])
  expect(versionsIn(folder)).toEqual({ count: versionsIn('.').count, versions: new Set(['9.8.7']) })
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^Release 9\.8\.7 .*tag: v9\.8\.7/)
  expect(git('show', '--stat', '--format=', 'HEAD').split('\n')).toHaveLength(FILES.length + 1)
  expect(git('status', '--porcelain')).toBe('')
})

test('a version that every file names already is tagged without a commit', () => {
  const { git, release } = createRepository(CHANGES.replace('9.8.7', VERSION))
  expect(release(VERSION).status).toBe(0)
  expect(git('log', '--format=%s')).toBe('Work')
  expect(git('describe')).toBe(`v${VERSION}`)
})

describe('the rates are compared with the last release', () => {
  test('of which there is none at first', () => {
    expect(createRepository(CHANGES).release('9.8.7').stdout).not.toContain('--compare')
  })

  test('and a release that is slower is refused, and changes nothing', () => {
    const { git, release } = createRepository(CHANGES)
    git('tag', 'v9.8.5')
    const { status, stdout, stderr } = release('9.8.7')
    expect([status, stdout.trim(), stderr]).toEqual([
      ...[1, '--compare v9.8.5'],
      expect.stringMatching(/slower than v9\.8\.5.*--help/),
    ])
    expect([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')]).toEqual(['', 'v9.8.5', 'Work'])
  })

  test('which is the one with the highest version', () => {
    const { git, release } = createRepository(CHANGES)
    for (const tag of ['v9.8.5', 'v9.8.10', 'v9.8.9']) git('tag', tag)
    expect(release('9.8.7').stdout).toContain('--compare v9.8.10\n')
    expect(git('tag')).toContain('v9.8.7')
  })

  test('unless that is skipped', () => {
    const { git, release } = createRepository(CHANGES)
    git('tag', 'v9.8.5')
    expect(release('9.8.7', '--skip-bench').stdout).not.toContain('--compare')
    expect(git('tag').split('\n')).toEqual(['v9.8.5', 'v9.8.7'])
    expect(release('--help').stdout).toContain('--skip-bench')
  })
})

describe('a release is refused, and changes nothing,', () => {
  test.each([
    ['without a version', CHANGES, [], /give the version/],
    ['with a word for a version', CHANGES, ['minor'], /give the version/],
    ['if the changelog has no section for it', CHANGES, ['9.9.0'], /no section "## 9.9.0 \(YYYY-MM-DD\)"/],
    ['if its section has no date', CHANGES.replace(' (2026-12-01)', ''), ['9.8.7'], /no section/],
    ['if changes are unreleased', CHANGES.replace('9.8.7 (2026-12-01)', 'Unreleased'), ['9.8.7'], /"Unreleased"/],
  ])('%s', (_when, changelog, args, reason) => {
    const { git, release } = createRepository(changelog)
    const { stderr, status } = release(...args)
    expect([status, stderr]).toEqual([1, expect.stringMatching(reason)])
    expect([git('status', '--porcelain'), git('tag'), git('log', '--format=%s')]).toEqual(['', '', 'Work'])
  })

  test('if the tree has changes', () => {
    const { folder, git, release } = createRepository(CHANGES)
    writeFileSync(join(folder, 'new.txt'), '')
    expect(release('9.8.7').stderr).toMatch(/the tree has changes/)
    expect(git('tag')).toBe('')
  })

  test('if the version was released', () => {
    const { git, release } = createRepository(CHANGES)
    git('tag', 'v9.8.7')
    expect(release('9.8.7').stderr).toMatch(/there is a tag v9\.8\.7 already/)
    expect(git('log', '--format=%s')).toBe('Work')
  })
})

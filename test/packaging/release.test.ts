// scripts/release.mjs in a repository of its own, made of the files that name the version.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PLACES } from '../../scripts/release.mjs'
import { VERSION } from '../../src/runtime/version.ts'
import { nightlyTest } from '../support/nightly.ts'

const SCRIPT = resolve('scripts/release.mjs')
const FILES = PLACES.map(([file]) => file)

function createRepository(changelog: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of [...FILES, '.gitignore']) cpSync(file, join(folder, file))
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  Object.assign(manifest.scripts, BUILD)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
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

// Stand for the build: what it leaves behind, and what it prints.
const BUILD = {
  build: 'mkdir -p dist/clients && echo client > dist/clients/heliograph.sh && echo program > dist/main.js',
  sbom: 'echo {}',
}

// Stands for the benchmark: says what it is asked, and finds the release v9.8.5 faster.
const BENCH = "console.log(...process.argv.slice(2)); process.exitCode = process.argv.includes('v9.8.5') ? 1 : 0"

const versionsIn = (folder: string) => {
  const found = PLACES.flatMap(([file, place]) =>
    Array.from(readFileSync(join(folder, file), 'utf8').matchAll(place), ([version]) => version),
  )
  return { count: found.length, versions: new Set(found) }
}

const CHANGES = '# Changelog\n\n## 9.8.7 (2026-12-01)\n\n- More.\n\n## 0.1.9 (2026-11-18)\n\n- Much.\n'

test('every file names the version of this program', () => {
  expect(versionsIn('.').versions).toEqual(new Set([VERSION]))
})

test('a release sets the version in every place, commits and tags that, and has a checksum of each of its files', () => {
  const { folder, git, release } = createRepository(CHANGES)
  const { stdout, stderr, status } = release('9.8.7')
  expect([status, stderr]).toEqual([0, ''])
  expect(versionsIn(folder)).toEqual({ count: versionsIn('.').count, versions: new Set(['9.8.7']) })
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^Release 9\.8\.7 .*tag: v9\.8\.7/)
  expect(git('show', '--stat', '--format=', 'HEAD').split('\n')).toHaveLength(FILES.length + 1)
  expect(git('status', '--porcelain')).toBe('')
  expect(stdout).not.toContain('--compare')
  const sums = readFileSync(join(folder, 'release/9.8.7/SHA256SUMS'), 'utf8')
  const files = ['heliograph-server-9.8.7.tgz', 'heliograph.sh', 'sbom.json']
  expect(sums.trimEnd().split('\n')).toEqual(files.map((file) => expect.stringMatching(`^[0-9a-f]{64}  ${file}$`)))
  const [first = ''] = sums.split('  ')
  const packed = readFileSync(join(folder, 'release/9.8.7/heliograph-server-9.8.7.tgz'))
  expect(createHash('sha256').update(packed).digest('hex')).toBe(first)
})

nightlyTest('"minor" and "patch" count from the version of the package, and date what is unreleased', () => {
  const { folder, git, release } = createRepository('# Changelog\n\n## Unreleased\n\n- More.\n')
  const [major, minor] = VERSION.split('.').map(Number)
  expect(release('minor').status).toBe(0)
  const changes = () => readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')
  expect(changes()).toMatch(
    new RegExp(`^## ${major}\\.${Number(minor) + 1}\\.0 \\(\\d{4}-\\d{2}-\\d{2}\\)\n\n- More\\.$`, 'm'),
  )
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    changes().replace('# Changelog\n', '# Changelog\n\n## Unreleased\n\n- Fix.\n'),
  )
  git('commit', '--quiet', '--all', '--message', 'Fix')
  expect(release('patch', '--skip-bench').status).toBe(0)
  expect(git('describe')).toBe(`v${major}.${Number(minor) + 1}.1`)
})

test('a build that fails leaves the tree as it was, without a tag', () => {
  const { folder, git, release } = createRepository(CHANGES)
  const manifest = join(folder, 'package.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"echo {}"', '"exit 1"'))
  git('commit', '--quiet', '--all', '--message', 'Break')
  expect(release('9.8.7').status).not.toBe(0)
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
})

nightlyTest('a version that every file names already is tagged without a commit', () => {
  const { git, release } = createRepository(CHANGES.replace('9.8.7', VERSION))
  expect(release(VERSION).status).toBe(0)
  expect(git('log', '--format=%s')).toBe('Work')
  expect(git('describe')).toBe(`v${VERSION}`)
})

describe('the rates are compared with the last release', () => {
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

  nightlyTest('which is the one with the highest version', () => {
    const { git, release } = createRepository(CHANGES)
    for (const tag of ['v9.8.5', 'v9.8.10', 'v9.8.9']) git('tag', tag)
    expect(release('9.8.7').stdout).toContain('--compare v9.8.10\n')
    expect(git('tag')).toContain('v9.8.7')
  })

  nightlyTest('unless that is skipped', () => {
    const { git, release } = createRepository(CHANGES)
    git('tag', 'v9.8.5')
    expect(release('9.8.7', '--skip-bench').stdout).not.toContain('--compare')
    expect(git('tag').split('\n')).toEqual(['v9.8.5', 'v9.8.7'])
    expect(release('--help').stdout).toContain('--skip-bench')
  })
})

describe('a release is refused, and changes nothing,', () => {
  nightlyTest.each([
    ['without a version', CHANGES, [], /give the version/],
    ['with a word for a version', CHANGES, ['tiny'], /give the version/],
    ['if the changelog has no section for it', CHANGES, ['9.9.0'], /or "## 9.9.0 \(YYYY-MM-DD\)", with changes/],
    ['if its section has no date', CHANGES.replace(' (2026-12-01)', ''), ['9.8.7'], /must have one section/],
    ['if its section is empty', '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-18)\n', ['9.8.7'], /with changes/],
    ['if it has a section and other changes', `# C\n\n## Unreleased\n\n- A.\n\n${CHANGES}`, ['9.8.7'], /one section/],
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

// The architecture: which layer may import which, no cycles, small files, one clock, one environment.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const LAYERS: Record<string, string[]> = {
  contract: [],
  domain: ['contract'],
  runtime: ['domain'],
  store: ['contract', 'domain'],
  views: ['contract', 'domain'],
  operations: ['contract', 'domain', 'runtime', 'store', 'views'],
  push: ['contract', 'domain', 'runtime'],
  jobs: ['contract', 'domain', 'runtime', 'store', 'views', 'operations', 'push'],
  mcp: ['contract', 'domain', 'runtime', 'views', 'operations'],
  http: ['contract', 'domain', 'runtime', 'views', 'operations', 'mcp'],
  cli: ['contract', 'domain', 'runtime', 'operations'],
  boot: ['contract', 'domain', 'runtime', 'store', 'views', 'operations', 'push', 'jobs', 'mcp', 'http', 'cli'],
  // The entry points.
  root: ['runtime', 'cli', 'boot'],
}
const LARGEST_FILE_LINES = 300
// A table is read by looking a row up; to split it would only make the row harder to find.
const TABLES = ['contract/problems.ts', 'contract/limits.ts', 'runtime/settings.ts']
const LARGEST_FOLDER_FILES = 25

type Source = { path: string; text: string; imports: string[] }

const sourcesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|tsx|css)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
        relative('.', join(dirname(path), String(match[1]))),
      )
      return { path, text, imports }
    })

const sources = sourcesIn('src')
const consoleSources = sourcesIn('console/src')

const layerOf = (path: string) => (path.includes('/') ? String(path.split('/')[0]) : 'root')
const withoutComments = (text: string) => text.replace(/^\s*\/\/.*$/gm, '')

describe('architecture', () => {
  test('source files are found', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  test('every folder of src is a layer of the table', () => {
    expect([...new Set(sources.map(({ path }) => layerOf(path)))].sort()).toEqual(Object.keys(LAYERS).sort())
  })

  test('a layer imports only what the table allows', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((target) => layerOf(target) !== layerOf(path) && !LAYERS[layerOf(path)]?.includes(layerOf(target)))
        .map((target) => `${path} imports ${target}`),
    )
    expect(wrong).toEqual([])
  })

  test('routes reach devices, jobs and the database only through an operation', () => {
    const direct = sources.filter(
      ({ path, text }) => /^(?:http|mcp)\//.test(path) && /\bctx\.(?:push|runNow|db)\b/.test(text),
    )
    expect(direct.map(({ path }) => path)).toEqual([])
  })

  test('there are no import cycles', () => {
    expect(findCycle(sources)).toBeUndefined()
    expect(findCycle(consoleSources)).toBeUndefined()
  })

  test(`no source file but a table is longer than ${LARGEST_FILE_LINES} lines`, () => {
    const all = [...sources, ...consoleSources].filter(({ path }) => !TABLES.includes(path))
    const long = all.filter(({ text }) => text.split('\n').length > LARGEST_FILE_LINES + 1).map(({ path }) => path)
    expect(long).toEqual([])
  })

  test(`no folder has more than ${LARGEST_FOLDER_FILES} files`, () => {
    const folders = ['src', 'console/src', 'test'].flatMap((root) => [
      root,
      ...readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    ])
    const countFiles = (folder: string) => readdirSync(folder).filter((name) => /\.(?:ts|tsx|css)$/.test(name)).length
    // Released migrations stay, so their folder grows with every one.
    const limited = folders.filter((folder) => folder !== join('src', 'store', 'migrations'))
    expect(limited.filter((folder) => countFiles(folder) > LARGEST_FOLDER_FILES)).toEqual([])
  })

  test('every source file starts with a comment that says what it is for', () => {
    const all = [...sources, ...consoleSources]
    const silent = all.filter(({ text }) => !/^(?:#!.*\n)?(?:\/\/|\/\*) /.test(text)).map(({ path }) => path)
    expect(silent).toEqual([])
  })

  test.each([
    ['the system clock', /\bDate\.now\(|\bnew Date\(\)|performance\.now\(/, ['runtime/clock.ts']],
    ['the environment', /process\.env\b/, ['runtime/config.ts']],
    ['bodies of requests', /addContentTypeParser|\.iterator\(/, ['http/request-body.ts']],
    ['which database it is', /\bdialect\b/, ['store/engine/sql.ts']],
  ])('only one place reads %s', (_what, pattern, allowed) => {
    const asking = sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path)
    expect(asking).toEqual(allowed)
  })

  // It takes seconds for a megabyte of short fields.
  test('URLSearchParams reads only what is short: queries, and fields that were counted', () => {
    const reading = sources.filter(
      ({ path, text }) => /^(?:http|mcp|domain)\//.test(path) && /new URLSearchParams\([^)]/.test(text),
    )
    expect(reading.map(({ path }) => path).sort()).toEqual([
      'domain/doors/forms.ts',
      'domain/hooks/document.ts',
      'http/doors/reading.ts',
    ])
  })

  test('SQL statements name their columns', () => {
    const lazy = sources.filter(({ path, text }) => path.startsWith('store/') && /select \*|returning \*/.test(text))
    expect(lazy.map(({ path }) => path)).toEqual([])
  })
})

// `import type` of the contract adds nothing to the bundle; event types and colours are a dozen words each, the text of Markdown
// is the same in pushes and in lists, the commands that install clients are those of the index at /clients/, and all clients read
// the event stream in the same way.
const SHARED = [
  'contract/clients.ts',
  'contract/events/event-types.ts',
  'contract/events/server-sent-events.ts',
  'domain/color.ts',
  'domain/notifications/markdown.ts',
]

test('the console imports from the server only contract types, and modules that it shares with it', () => {
  const taken = consoleSources.flatMap(({ path, text }) =>
    [...text.matchAll(/^import (.*) from '[./]*\/src\/(.*)'$/gm)].map(([, what, from]) => ({ path, what, from })),
  )
  const foreign = taken.filter(
    ({ what, from = '' }) => !(what?.startsWith('type ') && from.startsWith('contract/')) && !SHARED.includes(from),
  )
  expect(taken.length).toBeGreaterThan(0)
  expect(foreign).toEqual([])
})

function findCycle(sources: Source[]): string | undefined {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' -> ')
    if (done.has(path)) return undefined
    for (const next of importsOf.get(path) ?? []) {
      const cycle = visit(next, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  return sources.map(({ path }) => visit(path, [])).find(Boolean)
}

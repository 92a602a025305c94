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

// What the product is about. Each has the same name in every layer, be it a file or a folder.
const NOUNS = [
  'accounts',
  'activities',
  'answers',
  'apps',
  'backup',
  'demo',
  'devices',
  'doctor',
  'doors',
  'emails',
  'escalations',
  'events',
  'files',
  'heartbeats',
  'holds',
  'hooks',
  'imports',
  'keys',
  'notifications',
  'organizations',
  'plans',
  'push',
  'receipts',
  'schedules',
  'screens',
  'shares',
  'widgets',
]
// What else a layer has at its top: modules that several nouns share.
const COMMON: Record<string, string> = {
  contract: 'actions clients dry-run fields icons limits permissions problems validation',
  domain: `action-rules address-rules caller color cursor errors ids instant jobs join-code merge-patch permissions
    retention-clock signing symbols text token`,
  store: 'collection engine idempotency jobs join-codes migrations open-waits rate-counters server usage',
  views: 'dry-run page',
  operations: `after-commit authenticate call-cancellation check-clock context housekeeping idempotency job-backlog job-result
    join-codes last-used membership paging quota rate-limit readiness targets transact-or-rehearse wait-until wakeup`,
  'http/routes': 'docs icons mcp',
}

// It runs on a phone.
const PHONE_SCRIPT = 'http/screens/scriptable-script.ts'

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
// The file or folder directly below the layer.
const nounOf = (path: string) => String(path.split('/')[1]).replace(/\.ts$/, '')
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
    expect(findCycle(consoleSources.map(withoutTypesOfTexts))).toBeUndefined()
  })

  // What two nouns need is a third, below both.
  test.each(['domain', 'store', 'views', 'operations'])('no noun of %s imports one that imports it', (layer) => {
    expect(findCycle(nounsOf(layer))).toBeUndefined()
  })

  test.each(Object.entries(COMMON))('a file or folder of %s is named after a noun, or is common', (folder, common) => {
    const inside = sources.filter(({ path }) => path.startsWith(`${folder}/`))
    const names = new Set(inside.map(({ path }) => nounOf(path.slice(folder.indexOf('/') + 1))))
    expect([...names].filter((name) => !NOUNS.includes(name)).sort()).toEqual(common.split(/\s+/))
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
    ['the system clock', /\bDate\.now\(|\bnew Date\(\)|performance\.now\(/, [PHONE_SCRIPT, 'runtime/clock.ts']],
    ['the environment', /process\.env\b/, ['runtime/config.ts']],
    ['bodies of requests', /addContentTypeParser|\.iterator\(/, ['http/request-body.ts']],
    ['which database it is', /\bdialect\b/, ['store/engine/sql.ts']],
  ])('only one place reads %s', (_what, pattern, allowed) => {
    const asking = sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path)
    expect(asking.sort()).toEqual(allowed)
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

// `import type` of the contract adds nothing to the bundle; colours are a dozen words, the text of Markdown is the same in pushes
// and in lists, what apps can do is also a table of the documentation, a card says the same wherever it is drawn
// (domain/screens), the process that draws pictures is built from the console's cards and has a host in runtime/threads, the
// commands that install clients are those of the index at /clients/, and all clients read the event stream in the same way.
const SHARED = [
  'contract/clients.ts',
  'contract/events/server-sent-events.ts',
  'domain/apps/abilities.ts',
  'domain/color.ts',
  'domain/notifications/markdown.ts',
  'domain/screens/activity-content.ts',
  'domain/screens/activity-glance.ts',
  'domain/screens/duration.ts',
  'domain/screens/format.ts',
  'domain/screens/looks.ts',
  'domain/screens/picture.ts',
  'domain/screens/validity.ts',
  'domain/screens/viewer.ts',
  'domain/screens/widget-glance.ts',
  'domain/screens/words.ts',
  'runtime/threads/process.ts',
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

// The nouns of a layer as nodes of a graph. `store/engine` creates the schema that `store/migrations` describes by means of
// the engine, so these two are one.
function nounsOf(layer: string): Pick<Source, 'path' | 'imports'>[] {
  const nodeOf = (path: string) => (path.startsWith('store/migrations/') ? 'engine' : nounOf(path))
  const files = sources.filter(({ path }) => layerOf(path) === layer)
  return [...Map.groupBy(files, ({ path }) => nodeOf(path))].map(([noun, those]) => {
    const imported = those.flatMap(({ imports }) => imports.filter((target) => layerOf(target) === layer).map(nodeOf))
    return { path: noun, imports: [...new Set(imported)].filter((other) => other !== noun) }
  })
}

// A translation has the type of the English texts, whose file chooses between the two.
function withoutTypesOfTexts({ path, imports }: Source): Pick<Source, 'path' | 'imports'> {
  const isTranslation = path.startsWith('texts/german/')
  return { path, imports: isTranslation ? imports.filter((target) => target.startsWith('texts/german/')) : imports }
}

function findCycle(sources: Pick<Source, 'path' | 'imports'>[]): string | undefined {
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

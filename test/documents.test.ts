// The documents are true where a test can tell: their links, the source files they name, the index of the decision records.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const RECORDS = 'docs/decisions'

const documents = [
  ...readdirSync('.').filter((path) => path.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }))

test('every link to a file leads to a file', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => String(target).replace(/#.*$/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target) && !existsSync(join(dirname(path), target)))
      .map((target) => `${path} links to ${target}`),
  )
  expect(broken).toEqual([])
})

test('every source file that a document names exists', () => {
  const files = ['src', 'console', 'clients', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `/${folder}/${path}`),
  )
  // The changelog names files as they were called then.
  const checked = documents.filter(({ path }) => path !== 'CHANGELOG.md')
  const missing = checked.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|css))`/g)]
      .map(([, named]) => String(named))
      .filter((named) => !files.some((file) => file.endsWith(`/${named}`)))
      .map((named) => `${path} names ${named}`),
  )
  expect(missing).toEqual([])
})

test('every step of a journey in ARCHITECTURE.md names a file or a folder of src', () => {
  const journeys = readFileSync('ARCHITECTURE.md', 'utf8')
  const steps = [...journeys.matchAll(/^ \d ([a-z]+\/[\w/-]+)/gm)].map(([, step]) => String(step))
  expect(steps.length).toBeGreaterThan(15)
  expect(steps.filter((step) => !existsSync(join('src', step)) && !existsSync(join('src', `${step}.ts`)))).toEqual([])
})

test('the index of the decision records lists every record by its title', () => {
  const index = readFileSync(join(RECORDS, 'README.md'), 'utf8')
  const records = readdirSync(RECORDS).filter((file) => /^\d/.test(file))
  const missing = records.filter((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(RECORDS, file), 'utf8'))?.[1]
    return !index.includes(`[${title}](${file})`)
  })
  expect(missing).toEqual([])
})

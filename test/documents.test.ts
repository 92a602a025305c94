// The documents and the comments are true where a test can tell: their links, the files and records they name, the index of the
// decision records.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { outdatedPictures, releasesIn } from '../scripts/page-pictures.mjs'

const RECORDS = 'docs/decisions'

const documents = [
  ...readdirSync('.').filter((path) => path.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const FOLDERS = ['src', 'console', 'clients', 'test', 'scripts', 'bench']
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path))

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
  const files = FOLDERS.flatMap((folder) => filesIn(folder).map((path) => `/${path}`))
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

// A path with a folder, or the number of a decision record.
const CITED_PATH = /(?<![\w/:.@-])((?:[\w.-]+\/)+[\w.-]+\.(?:md|tsx?|mjs|css))\b/g
const CITED_DECISION = /\b[Dd]ecisions? (\d+)\b/g

test('every file and every decision record that a comment cites exists', () => {
  const files = [...FOLDERS, 'docs'].flatMap((folder) => filesIn(folder).map((path) => `/${path}`))
  const records = readdirSync(RECORDS)
  const comments = FOLDERS.flatMap(filesIn)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path))
    .map((path) => ({ path, text: [...readFileSync(path, 'utf8').matchAll(/(?<=^|\s)\/\/ .*$/gm)].join('\n') }))
  const missing = comments.flatMap(({ path, text }) => [
    ...[...text.matchAll(CITED_PATH)]
      .map(([, cited]) => String(cited))
      .filter((cited) => !existsSync(join(dirname(path), cited)) && !files.some((file) => file.endsWith(`/${cited}`)))
      .map((cited) => `${path} cites ${cited}`),
    ...[...text.matchAll(CITED_DECISION)]
      .map(([, number]) => String(number))
      .filter((number) => !records.some((record) => record.startsWith(`${number.padStart(4, '0')}-`)))
      .map((number) => `${path} cites decision ${number}`),
  ])
  expect(missing).toEqual([])
})

test('every step of a journey names a file or a folder of src', () => {
  const journeys = ['ARCHITECTURE.md', 'docs/inside/journeys.md'].map((path) => readFileSync(path, 'utf8')).join('\n')
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

test('no picture of the console is more than a release older than the page it shows', () => {
  const releases = releasesIn(readFileSync('CHANGELOG.md', 'utf8'))
  expect(
    outdatedPictures(releases),
    'node scripts/screenshots.mjs and node scripts/ask-picture.mjs take them again',
  ).toEqual([])
  // One that was taken three releases ago, of a page that has changed since.
  const old = { 'inbox.png': { version: '0.1.0', sources: '' } }
  expect(outdatedPictures(['0.3.0', '0.2.0', '0.1.0'], old)).toContain('inbox.png')
  expect(outdatedPictures(['0.2.0', '0.1.0'], old)).not.toContain('inbox.png')
})

// Links between the documents, and the index of the decision records.
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

test('the index of the decision records lists every record by its title', () => {
  const index = readFileSync(join(RECORDS, 'README.md'), 'utf8')
  const records = readdirSync(RECORDS).filter((file) => /^\d/.test(file))
  const missing = records.filter((file) => {
    const title = /^# (.*)$/m.exec(readFileSync(join(RECORDS, file), 'utf8'))?.[1]
    return !index.includes(`[${title}](${file})`)
  })
  expect(missing).toEqual([])
})

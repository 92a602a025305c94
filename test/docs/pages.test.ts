// Every command of the documentation does what its page says.
import { readdirSync } from 'node:fs'
import { afterAll, test } from 'vitest'
import { runPage } from './run-page.ts'

const inDocs = readdirSync('docs').filter((name) => name.endsWith('.md'))
const pages = ['README.md', ...inDocs.map((name) => `docs/${name}`)]
const counts = { run: 0, notRun: [] as string[] }

test.each(pages)('%s', async (page) => {
  const { run, notRun } = await runPage(page)
  counts.run += run
  counts.notRun.push(...notRun.map((reason) => `${page}: ${reason}`))
})

afterAll(() => {
  console.log(`${counts.run} blocks ran; ${counts.notRun.length} were not run:\n  ${counts.notRun.join('\n  ')}`)
})

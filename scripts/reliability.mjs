// Prints one line for each requirement and database, and writes docs/reliability.md, from the results of
// `npm run test:faults`.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { DATABASES, outcomeOf } from './reliability/outcomes.mjs'
import { renderPage } from './reliability/page.mjs'
import { REQUIREMENTS } from './reliability/requirements.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const results = JSON.parse(readFileSync('test/faults/output/results.json', 'utf8'))
const run = {
  day: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  machine: `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`,
  node: process.version,
}
for (const number of Object.keys(REQUIREMENTS)) {
  for (const [database, name] of Object.entries(DATABASES)) {
    const { verdict, text } = outcomeOf(results, number, database)
    console.log(`${number} ${name.padEnd(10)} ${verdict.padEnd(10)} ${text}`)
  }
}
writeFileSync('docs/reliability.md', renderPage(results, run))

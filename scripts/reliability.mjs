// Prints one line for each requirement and database, and writes docs/reliability.md, from the results of
// `npm run test:faults`.
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { DATABASES, outcomeOf } from './reliability/outcomes.mjs'
import { renderPage } from './reliability/page.mjs'
import { REQUIREMENTS } from './reliability/requirements.mjs'
import { readResults } from './reliability/results.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const results = readResults()
const machine = `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`
for (const number of Object.keys(REQUIREMENTS)) {
  for (const [database, name] of Object.entries(DATABASES)) {
    const { verdict, text } = outcomeOf(results, number, database)
    console.log(`${number} ${name.padEnd(10)} ${verdict.padEnd(10)} ${text}`)
  }
}
writeFileSync('docs/reliability.md', renderPage(results, `Node.js ${process.version}, ${machine}`))

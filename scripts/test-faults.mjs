// `npm run test:faults`: all faults in their long form, and every other test of a numbered requirement, on both databases.
// Then docs/reliability.md is written, also if a test failed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceResults } from './reliability/results.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const PROJECTS = ['sqlite', 'postgres', 'faults']
// Suites with a configuration of their own, and the browser's.
const OTHER_SUITES = /^test\/(browser|deploy|docs|firefox|senders)\//

const files = readdirSync('test', { recursive: true })
  .map((name) => join('test', name))
  .filter((file) => file.endsWith('.test.ts') && !OTHER_SUITES.test(file))
  .filter((file) => file.startsWith('test/faults/') || /\bR\d\d\b/.test(readFileSync(file, 'utf8')))

// Those of a soak stay.
replaceResults(({ project }) => PROJECTS.includes(project), [])
const projects = PROJECTS.flatMap((project) => ['--project', project])
const { status } = spawnSync('npx', ['vitest', 'run', ...projects, ...files], {
  stdio: 'inherit',
  env: { ...process.env, HELIOGRAPH_FAULTS: 'all' },
})
spawnSync(process.execPath, ['scripts/reliability.mjs'], { stdio: 'inherit' })
process.exitCode = status ?? 1

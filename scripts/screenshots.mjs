// Updates the screenshots of the README: runs the browser tests that take pictures of every page with an example
// account, and copies the pictures that the README shows.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PAGE_PICTURES, recordTaken } from './page-pictures.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const PICTURES = Object.entries(PAGE_PICTURES).filter(([, { source }]) => source)
const TESTS = ['looks', 'cards', 'live-cards', 'live-activities'].map((name) => `test/browser/${name}.test.ts`)

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'sqlite', ...TESTS]
execFileSync(process.execPath, vitest, { stdio: 'inherit', env: { ...process.env, HELIOGRAPH_NIGHTLY: '1' } })
mkdirSync('docs/images', { recursive: true })
for (const [name, { source }] of PICTURES) copyFileSync(`test/browser/output/${source}`, `docs/images/${name}`)
recordTaken(PICTURES.map(([name]) => name))

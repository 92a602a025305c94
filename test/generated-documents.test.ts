// openapi.json, docs/errors.md, docs/configuration.md, docs/data-model.md, the tables of docs/metrics.md and docs/phones.md and the types of
// @heliograph/client are current.
import { execFileSync } from 'node:child_process'
import { test } from 'vitest'

test('the generated documents are up to date', () => {
  // Fails with the names of the outdated files; "npm run generate" updates them.
  execFileSync(process.execPath, ['scripts/generate.mjs', '--check'], { stdio: 'pipe' })
})

// openapi.json, docs/errors.md, docs/configuration.md and docs/data-model.md are current.
import { execFileSync } from 'node:child_process'
import { test } from 'vitest'

test('the generated documents are up to date', () => {
  // Fails with the names of the stale files; "npm run generate" mends it.
  execFileSync(process.execPath, ['scripts/generate.mjs', '--check'], { stdio: 'pipe' })
})

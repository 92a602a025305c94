// The Python client, by its own tests, with the python3 of the system against the running service.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'

const app = useTestApp()
// Debian's, where there is one: other pythons in the PATH may have packages that hide a missing import.
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
// `npm test` needs nothing but Node.js.
const hasPython = spawnSync(python, ['--version']).status === 0

test.skipIf(!hasPython)('the tests of clients/python pass', async () => {
  const { token } = await app.addUser()
  const { stderr } = await promisify(execFile)(python, ['-B', '-m', 'unittest', 'discover', '-s', 'tests'], {
    cwd: 'clients/python',
    env: { PYTHONPATH: 'src', HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token },
  })
  expect(stderr).toMatch(/\nRan [12]\d tests in .*\n\nOK\n$/)
})

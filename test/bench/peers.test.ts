// npm run bench -- --peers, with a stand-in for ntfy: its tables, and what it counts when it kills a service.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { emptyFolder, runNode } from '../support/heliograph-process.ts'
import { nightlyTest } from '../support/nightly.ts'

const BENCH = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url))
const STAND_IN = fileURLToPath(new URL('../support/fakes/ntfy-stand-in.mjs', import.meta.url))
const SHORT = ['--rounds', '1', '--seconds', '1', '--warm-up', '1', '--connections', '8', '--database', 'SQLite']

function programOf(script: string) {
  const path = join(emptyFolder(), 'ntfy')
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

// The part of a table's row behind its name.
const rowOf = (output: string, name: string) =>
  output
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.startsWith(`${name}  `))
    ?.slice(name.length)
    .trim()

nightlyTest(
  'services are compared in one table for each class of durability, and answered messages that a kill loses are counted',
  async () => {
    const { code, stdout, stderr } = await runNode([BENCH, '--peers', `ntfy=${programOf(STAND_IN)}`, ...SHORT])
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/Error|Without the paths/)])
    const [, durable, other] = stdout.split(/^Sends: .*$/m) as [string, string, string]
    for (const table of [durable, other]) expect(rowOf(table, 'a send, bare')).toMatch(/^1 of bare /)
    expect(rowOf(durable, 'a send, Heliograph, SQLite')).toMatch(/of bare .* µs of CPU each/)
    expect(rowOf(durable, 'a send, ntfy, cache-file')).toMatch(/of bare/)
    expect(rowOf(other, 'a send, ntfy, batches')).toMatch(/of bare/)

    const lost = (table: string, name: string) => rowOf(table, `answered, then lost by kill -9, ${name}`)
    expect(lost(durable, 'Heliograph, SQLite')).toMatch(/^0 of 1,9\d\d .*met$/)
    expect(lost(durable, 'ntfy, cache-file')).toMatch(/^0 of 1,9\d\d .*met$/)
    expect(lost(other, 'ntfy, default')).toMatch(/^(1,9\d\d) of \1$/)
    expect(lost(other, 'ntfy, batches')).toMatch(/^[1-9]\d* of 1,9\d\d$/)
  },
)

nightlyTest.each([
  ['an unknown service', ['--peers', 'pushover=/bin/true'], /"pushover=\/bin\/true" is not NAME=PATH; the names are/],
  ['a path without --peers', ['ntfy=/bin/true'], /"ntfy=\/bin\/true" needs --peers/],
])('%s is refused before anything is measured', async (_what, args, reason) => {
  const { code, stdout, stderr } = await runNode([BENCH, ...args])
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(reason)])
})

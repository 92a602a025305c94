// The units of deploy/systemd: systemd accepts them, their exposure stays below a threshold, and the program needs no system
// call that they forbid.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'
import { attachStrace, traceToEnd } from '../support/strace.ts'

// systemd's scale is 0 (sandboxed) to 10 (unprotected). What remains is the network, which pushes and callbacks need, and
// writable machine code, which V8 needs.
const MAX_EXPOSURE = 1.5

const UNITS = ['heliograph-serve@8080.service', 'heliograph-work@1.service', 'heliograph-backup.service']
const COMMON = 'deploy/systemd/heliograph-.service.d/common.conf'

// SQLite gives the files it creates the owner of the database, but only as root; the service is not root.
const ONLY_AS_ROOT = ['fchown']

const runs = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

describe.skipIf(!runs('systemd-analyze', '--version'))('the units', () => {
  test('are accepted without a warning', () => {
    const { status, stdout, stderr } = analyze('verify', ...UNITS, 'heliograph-backup.timer')
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })

  test.each(UNITS)(`%s has an exposure of at most ${MAX_EXPOSURE}`, (unit) => {
    const { status, stdout } = analyze(
      'security',
      '--offline=true',
      `--threshold=${MAX_EXPOSURE * 10}`,
      '--no-pager',
      unit,
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining(`exposure level for ${unit}`)])
  })

  // The filter answers a forbidden call with EPERM, and no systemd runs here that would do so.
  test.skipIf(!runs('strace', '-V'))(
    'forbid no system call that a server makes while it starts and serves',
    async () => {
      const loading = await traceToEnd(
        [join('dist', 'main.js'), 'serve', '--host', '192.0.2.1', '--data-dir', emptyFolder()],
        'all',
      )
      const server = await startHeliograph(['serve'], { environment: { HELIOGRAPH_PORT: '0' } })
      const strace = await attachStrace(server.pid)
      const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
      const sent = await createClient(server.url).post('/notifications', { title: 'Title', body: 'Body' }, key)
      expect(sent.status).toBe(201)
      const serving = await strace.end()
      await server.end('SIGTERM')
      const used = new Set(
        [...loading, ...serving].flatMap((line) => /^(?:\[pid +\d+\] )?([a-z]\w+)\(/.exec(line)?.[1] ?? []),
      )
      const allowed = new Set([...allowedCalls(), ...ONLY_AS_ROOT])
      expect(used.size).toBeGreaterThan(30)
      expect([...used].filter((call) => !allowed.has(call))).toEqual([])
    },
  )
})

function analyze(command: string, ...args: string[]) {
  const folder = emptyFolder()
  cpSync('deploy/systemd', folder, { recursive: true })
  // systemd looks for the program, which is not installed here.
  for (const unit of readdirSync(folder).filter((name) => name.endsWith('.service'))) {
    const text = readFileSync(join(folder, unit), 'utf8')
    writeFileSync(join(folder, unit), text.replace(/^ExecStart=heliograph /m, 'ExecStart=true '))
  }
  const paths = args.map((arg) => (arg.startsWith('heliograph-') ? `./${arg}` : arg))
  return spawnSync('systemd-analyze', [command, ...paths], { cwd: folder, encoding: 'utf8' })
}

function allowedCalls(): string[] {
  const filters = [...readFileSync(COMMON, 'utf8').matchAll(/^SystemCallFilter=(~?)(.*)$/gm)]
  const namedBy = (sign: string) =>
    filters.filter(([, one]) => one === sign).flatMap(([, , sets = '']) => sets.split(' ').flatMap(callsOf))
  // systemd always allows the set @default.
  const forbidden = new Set(namedBy('~'))
  return [...namedBy(''), ...callsOf('@default')].filter((call) => !forbidden.has(call))
}

function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name]
  const listed = execFileSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' })
  return [...listed.matchAll(/^ {4}([@\w-]+)$/gm)].flatMap(([, member]) => callsOf(String(member)))
}

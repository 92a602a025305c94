// The built program as an operator runs it: a child process with no settings but the test's.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type RunningProcess = {
  pid: number
  // The last word of the line that reports readiness: the URL, for `serve`.
  url: string
  output(): string
  // Stops reading its output until it ends: the pipe stays open or is closed.
  stopReading(how: 'pause' | 'close'): void
  // Sends the signal and waits for the exit.
  end(signal: NodeJS.Signals): Promise<Ended>
}

// `main` is another build of the program than the one of this checkout. stdin is empty unless given.
export type Program = { environment?: Environment; cwd?: string; main?: string; stdin?: string }

export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
export const SOURCES = new URL('../../src/', import.meta.url).href

export function runHeliograph(args: string[], program: Program = {}): Promise<Ended> {
  return runNode([MAIN, ...args], program)
}

export function runNode(args: string[], program: Program = {}): Promise<Ended> {
  return watch(launch(args, program)).ended
}

// Resolves when the process reports readiness, and rejects with its output when it exits before.
export async function startHeliograph(args: string[], program: Program = {}): Promise<RunningProcess> {
  const child = launch([program.main ?? MAIN, ...args], program)
  const { ended, seen } = watch(child)
  const ready = await Promise.race([waitForLine(child, /^(?:listening on|working) ?(.*)$/m, seen), ended])
  if (typeof ready !== 'string') throw new Error(`heliograph ${args[0]} ended with ${ready.code}: ${ready.stderr}`)
  return {
    pid: child.pid as number,
    url: ready,
    output: () => seen.stdout,
    stopReading: (how) => (how === 'close' ? child.stdout?.destroy() : child.stdout?.pause()),
    async end(signal) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
      child.stdout?.resume()
      return ended
    },
  }
}

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function launch(args: string[], { environment = {}, cwd = emptyFolder(), stdin }: Program): ChildProcess {
  const input = stdin === undefined ? 'ignore' : 'pipe'
  const env = { ...compileCache(), ...environment }
  const child = spawn(process.execPath, args, { cwd, env, stdio: [input, 'pipe', 'pipe'] })
  child.stdin?.end(stdin)
  // However the test ends, the process does not outlive it.
  onTestFinished(async () => {
    if (child.kill('SIGKILL')) await once(child, 'exit')
  })
  return child
}

// The processes of a run share their compiled code, so that not every start compiles it. Those of test/faults, whose folder is
// another one, do not: their system calls are counted.
function compileCache(): Environment {
  const folder = process.env.TEST_RUN_FOLDER
  return folder === tmpdir() ? { NODE_COMPILE_CACHE: join(folder, 'compiled') } : {}
}

export function watch(child: ChildProcess) {
  const seen = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (seen.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (seen.stderr += text))
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...seen }))
  return { seen, ended }
}

function waitForLine(child: ChildProcess, line: RegExp, seen: { stdout: string }): Promise<string> {
  return new Promise((resolve) => {
    child.stdout?.on('data', () => {
      const found = line.exec(seen.stdout)
      // Only a complete line counts; the URL may arrive in two chunks.
      if (found && seen.stdout.indexOf('\n', found.index) >= 0) resolve(found[1] ?? '')
    })
  })
}

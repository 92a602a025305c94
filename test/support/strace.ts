// Traces or tampers with the system calls of a running process. It attaches after the start, so that it sees only calls
// that the test causes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'

// From the operating system, not from npm.
const STRACE = 'strace'

// `end` detaches and returns one line per call.
export async function attachStrace(pid: number, ...options: string[]): Promise<{ end(): Promise<string[]> }> {
  const strace = spawn(STRACE, ['-f', ...options, '-p', String(pid)])
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  await eventually(() => expect(said).toContain('attached'))
  return {
    async end() {
      strace.kill('SIGINT')
      await once(strace, 'close')
      return said.split('\n').filter((line) => line.includes('('))
    },
  }
}

// Runs Node.js with these arguments until it exits; returns one line per call of the main thread, with paths.
export async function traceToEnd(args: string[], calls: string): Promise<string[]> {
  const strace = spawn(STRACE, ['-y', '-e', `trace=${calls}`, process.execPath, ...args], { env: {} })
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  await once(strace, 'close')
  return said.split('\n').filter((line) => line.includes('('))
}

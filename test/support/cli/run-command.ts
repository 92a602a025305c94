// Runs a command in the process of the test, which is much faster than to start a process. Signals, standard input and
// closed pipes need a real one: heliograph-process.ts.
import { vi } from 'vitest'
import { runProgram } from '../../../src/boot/program.ts'
import type { Environment } from '../../../src/runtime/config.ts'
import type { Ended } from '../heliograph-process.ts'

type Output = Omit<Ended, 'signal'>

// Settings of the machine that the test runs on must not reach the command.
const SETTINGS = [
  'HELIOGRAPH_URL',
  'HELIOGRAPH_TOKEN',
  'HELIOGRAPH_PROFILE',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'HOME',
]

export async function runCommand(args: string[], environment: Environment = {}): Promise<Output> {
  for (const name of SETTINGS) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const seen = { stdout: '', stderr: '' }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => keep(seen, 'stdout', String(text))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => keep(seen, 'stderr', String(text))),
    vi.spyOn(console, 'log').mockImplementation((text) => keep(seen, 'stdout', `${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => keep(seen, 'stderr', `${text}\n`)),
  ]
  const { exitCode } = process
  try {
    const code = (await runProgram(args)) || Number(process.exitCode ?? 0)
    return { code, ...seen }
  } finally {
    // A command may have set it.
    process.exitCode = exitCode
    for (const spy of spies) spy.mockRestore()
    vi.unstubAllEnvs()
  }
}

function keep(seen: { stdout: string; stderr: string }, stream: 'stdout' | 'stderr', text: string): true {
  seen[stream] += text
  return true
}

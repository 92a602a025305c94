// The commands that the set-up runs, one after the other or beside each other.
import { spawn } from 'node:child_process'

// The command has said why.
export class StepFailed extends Error {}

export const run = (...command) => runIn('.', ...command)

export async function runIn(folder, ...command) {
  if (!(await isDone(command, { cwd: folder, stdio: 'inherit' }))) throw new StepFailed()
}

export const succeeds = (...command) => isDone(command, { stdio: 'inherit' })

// For a command beside others: what it prints is shown only if it fails, and then in one piece.
export const succeedsQuietly = (...command) => isDone(command, { stdio: ['ignore', 'pipe', 'pipe'] })

function isDone([program, ...args], options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, options)
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => printed.push(bytes))
    const end = (isFine) => {
      if (!isFine) {
        process.stderr.write(Buffer.concat(printed))
        console.error(`heliograph: "${[program, ...args].join(' ')}" failed; see above`)
      }
      resolve(isFine)
    }
    child.once('error', () => end(false)).once('close', (code) => end(code === 0))
  })
}

// `npm run check`: format and lint, types, unused code. As many at a time as there are cores, the longest first; each is
// printed when it has ended. One thread per program of TypeScript: more of them do the same work twice.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'

const types = (folder) => ['tsc', '-p', folder, '--noEmit', '--singleThreaded']
const waiting = [
  ['biome', 'check', '--colors=off', '.'],
  types('.'),
  ['knip', '--no-progress'],
  types('console'),
  types('test/console'),
  types('console/src/worker'),
  types('clients/typescript'),
]

await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))

async function runWaiting() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [command, ...args] = next
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
    const [code, ...outputs] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    process.stdout.write(outputs.join(''))
    if (code === 0) continue
    console.error(`heliograph: "${next.join(' ')}" failed; see above`)
    process.exitCode = 1
  }
}

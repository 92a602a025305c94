// Nodes under kills: one after the other is killed at a random time and started again.
import { setTimeout as delay } from 'node:timers/promises'
import type { RunningProcess } from '../heliograph-process.ts'

type Killing = {
  start(): Promise<RunningProcess>
  // Asked before each kill, with the number of kills so far.
  goesOn(kills: number): boolean
  betweenMs?: { least: number; most: number }
}

// Replaces the entries of `nodes`. Resolves with the time of each kill, as performance.now() gives it.
export async function killInTurn(
  nodes: RunningProcess[],
  { start, goesOn, betweenMs = { least: 100, most: 1000 } }: Killing,
): Promise<number[]> {
  const killedAtMs: number[] = []
  const { least, most } = betweenMs
  while (goesOn(killedAtMs.length)) {
    await delay(least + Math.random() * (most - least))
    const index = killedAtMs.length % nodes.length
    await (nodes[index] as RunningProcess).end('SIGKILL')
    killedAtMs.push(performance.now())
    nodes[index] = await start()
  }
  return killedAtMs
}

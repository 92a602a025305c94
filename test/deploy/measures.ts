// Times and sizes that this suite measures and prints.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isMachineFree } from '../support/reliability/machine-load.ts'

export function report(what: string, value: number, unit: 's' | 'MB'): void {
  process.stdout.write(`${what}: ${value.toFixed(1)} ${unit}\n`)
}

// The goals are for an idle machine: on one that others use as well, the time is only printed.
export function reportWithGoal(what: string, seconds: number, goalSeconds: number): void {
  report(`${what} (goal: ${goalSeconds} s)`, seconds, 's')
  if (isMachineFree) expect(seconds).toBeLessThan(goalSeconds)
}

export const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000

export function megabytesOf(path: string): number {
  const paths = lstatSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path]
  const files = paths.map((one) => lstatSync(one)).filter((stats) => stats.isFile())
  return files.reduce((bytes, { size }) => bytes + size, 0) / 1e6
}

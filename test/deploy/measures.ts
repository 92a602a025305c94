// Times and sizes that this suite measures and prints. The goals of times are for an idle machine.
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function report(what: string, value: number, unit: 's' | 'MB'): void {
  process.stdout.write(`${what}: ${value.toFixed(1)} ${unit}\n`)
}

export const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000

export function megabytesOf(path: string): number {
  const paths = lstatSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path]
  const files = paths.map((one) => lstatSync(one)).filter((stats) => stats.isFile())
  return files.reduce((bytes, { size }) => bytes + size, 0) / 1e6
}

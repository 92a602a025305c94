// Finds out which fault tests this machine can run, and installs strace where it is missing and installable.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    rounds: number
    canTrace: boolean
    canMount: boolean
  }
}

export default function setup(project: TestProject): void {
  const canTrace = runs('strace', '-V') || (installed('strace') && runs('strace', '-V'))
  const canMount = mounts()
  if (!canTrace) console.warn('strace is missing and cannot be installed: tests that count system calls are skipped')
  if (!canMount) console.warn('tmpfs cannot be mounted, which needs root: tests that fill a disk are skipped')
  project.provide('canTrace', canTrace)
  project.provide('canMount', canMount)
}

function installed(name: string): boolean {
  if (process.getuid?.() !== 0) return false
  return (
    runs('apt-get', 'install', '-y', '-qq', name) ||
    (runs('apt-get', 'update', '-qq') && runs('apt-get', 'install', '-y', '-qq', name))
  )
}

function mounts(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-mount-'))
  const worked = runs('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder) && runs('umount', folder)
  rmdirSync(folder)
  return worked
}

function runs(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

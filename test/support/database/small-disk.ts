// A disk of a few megabytes, in memory, that a test fills. Mounting needs root: see `canMount` in test/support/reliability/fault-tools.ts.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, onTestFinished } from 'vitest'
import { emptyFolder } from '../heliograph-process.ts'

export function mountSmallDisk(size: string): string {
  const folder = emptyFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

// Fills the disk to the last byte, even if a server writes at the same time.
export function fillDisk(file: string): void {
  const filler = openSync(file, 'w')
  try {
    for (;;) writeSync(filler, Buffer.alloc(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(filler)
  }
}

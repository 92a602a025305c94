// Log lines on their way out: gathered, so that most requests only leave theirs. A reader that stands still or has gone
// keeps nobody waiting, neither the service nor its end; it only misses lines. (The writer that comes with pino tries for
// ever.)
import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { toRfc3339 } from '../domain/instant.ts'
import { systemClock } from './clock.ts'

const GATHERED_CHARS = 12_288
const GATHERED_MS = 250
// Kept for a reader that is slow; what comes after is counted only.
const KEPT_CHARS = 4 * 1024 * 1024
const AGAIN_MS = 10
const LAST_TRIES = 100

let toStdout: DestinationStream | undefined

// All logs of a process share it, as they share what they write to.
export function stdoutLines(): DestinationStream {
  // Node makes a pipe one that does not block when it is first asked for it.
  toStdout ??= openLines(process.stdout.fd)
  return toStdout
}

function openLines(fd: number): DestinationStream {
  let gathered = ''
  // What was gathered before, and not yet written.
  let rest = NOTHING
  let isFull = false
  let hasReader = true
  let missed = 0

  // False: there is no room for all of it now.
  function flush(): boolean {
    if (rest.length === 0) {
      rest = Buffer.from(gathered)
      gathered = ''
    }
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') return false
      // A full disk may have room again; a reader that has gone does not come back.
      hasReader = code !== 'EPIPE'
      rest = NOTHING
    }
    return true
  }

  function flushInTurn() {
    if (isFull) return
    isFull = !flush()
    if (isFull) setTimeout(tryAgain, AGAIN_MS).unref()
  }

  function tryAgain() {
    isFull = false
    flushInTurn()
  }

  // There is no event loop any more: waits for a reader that is slow, but not for long.
  function flushAtLast() {
    for (let tries = 0; tries < LAST_TRIES && rest.length + gathered.length > 0; tries++) {
      if (!flush()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }

  function add(line: string) {
    gathered += line
    if (gathered.length >= GATHERED_CHARS) flushInTurn()
  }

  setInterval(flushInTurn, GATHERED_MS).unref()
  process.on('exit', flushAtLast)
  return {
    write(line) {
      if (!hasReader) return
      if (gathered.length >= KEPT_CHARS) {
        missed += 1
        return
      }
      if (missed > 0) add(missedLine(missed))
      missed = 0
      add(line)
    },
  }
}

const NOTHING = Buffer.alloc(0)

const missedLine = (missed: number) =>
  `${JSON.stringify({ level: 'warn', time: toRfc3339(systemClock.now()), missed, msg: 'the log was not read in time' })}\n`

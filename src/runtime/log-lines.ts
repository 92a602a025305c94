// Buffered writer for the log. If the reader is slow or gone, lines are dropped and counted instead of blocking
// requests or the shutdown. (pino's own writer, sonic-boom 4.2.1, retries for ever in flushSync after EPIPE.)
import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { toRfc3339 } from '../domain/instant.ts'
import { systemClock } from './clock.ts'

const GATHERED_CHARS = 12_288
const GATHERED_MS = 250
// The buffer for a slow reader; further lines are only counted.
const KEPT_CHARS = 4 * 1024 * 1024
const AGAIN_MS = 10
const LAST_TRIES = 100

// Node makes a pipe non-blocking when the stream is first accessed, so the stream is given and not its number.
export type OutputStream = NodeJS.WriteStream & { fd: number }

const opened = new Map<number, DestinationStream>()

// Shared by all logs of a process, like the file descriptor.
export function bufferedLines({ fd }: OutputStream): DestinationStream {
  const lines = opened.get(fd) ?? openLines(fd)
  opened.set(fd, lines)
  return lines
}

function openLines(fd: number): DestinationStream {
  let gathered = ''
  // The rest of earlier lines that has not been written.
  let rest = NOTHING
  let isFull = false
  let hasReader = true
  let missed = 0

  // Returns false if not all of it could be written.
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
      // A full disk may have space again; a closed pipe stays closed.
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

  // The event loop has ended, so this waits synchronously for a slow reader, but not for long.
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

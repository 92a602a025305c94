// Structured log: one JSON line per event, or one readable line on a terminal. Secrets are never passed to it.
import { Writable } from 'node:stream'
import colors from 'picocolors'
import { type DestinationStream, type Logger, pino } from 'pino'
import { toRfc3339 } from '../domain/instant.ts'
import { systemClock } from './clock.ts'
import { bufferedLines, type OutputStream } from './log-lines.ts'

export type Log = Logger
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
export type LogFormat = 'pretty' | 'json'

export function createLog(level: LogLevel, format: LogFormat, output: OutputStream = process.stdout): Log {
  const destination = format === 'pretty' ? readableLines(output) : bufferedLines(output)
  return pino({ level, base: undefined, timestamp: timeMember(), formatters: { level: levelName } }, destination)
}

// For a worker thread: the log of the process writes its lines, which `relayLine` passes on.
export function createRelayedLog(level: LogLevel, relay: (line: string) => void): Log {
  return pino({ level, base: undefined, timestamp: false, formatters: { level: levelName } }, { write: relay })
}

export function relayLine(log: Log, line: string): void {
  const { level, msg, ...members } = JSON.parse(line)
  log[level as Exclude<LogLevel, 'silent'>](members, msg)
}

const levelName = (label: string) => ({ level: label })

// Written once a millisecond, not once per line.
function timeMember(): () => string {
  let atMs = 0
  let text = ''
  return () => {
    const nowMs = systemClock.now()
    if (nowMs !== atMs) text = `,"time":"${toRfc3339(nowMs)}"`
    atMs = nowMs
    return text
  }
}

function readableLines(output: OutputStream): DestinationStream {
  return new Writable({
    write(chunk, _encoding, done) {
      const { level, time, msg, err, ...rest } = JSON.parse(String(chunk))
      const members = Object.entries(rest).map(([name, value]) => `${name}=${inline(value)}`)
      const line = [
        colors.dim(time.slice(11, 23)),
        level === 'info' && isRefusal(rest) ? colors.yellow(level.padEnd(5)) : (LEVEL_WORDS[level] ?? level),
        inline(msg),
        colors.dim(members.join(' ')),
      ]
      output.write(`${line.join(' ')}\n${indented(err?.stack ?? '')}`, done)
    },
  })
}

// A request that was refused is no failure of the server, but should be seen among those that were not.
const isRefusal = ({ status }: { status?: unknown }) => typeof status === 'number' && status >= 400

// Text from a client must neither look like a second event nor control the operator's terminal.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}]/gu
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
// A message of several lines must not look like several events.
const indented = (stack: string) => stack.replace(/[^\n]+\n?/g, (line) => `  ${inline(line.trimEnd())}\n`)
const inline = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(UNPRINTABLE, escaped)

const LEVEL_WORDS: Record<string, string> = {
  trace: colors.gray('trace'),
  debug: colors.gray('debug'),
  info: colors.green('info '),
  warn: colors.yellow('warn '),
  error: colors.red('error'),
}

// heliograph run: any command, shown as a live activity with its last lines while it runs, or reported to a heartbeat. Output,
// input, signals and the exit code are those of the command.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { errorCode } from '../../domain/errors.ts'
import { commandFolders } from '../../runtime/config.ts'
import { quotedForShell } from '../output.ts'
import { type Outcome, startReport } from './activity-report.ts'
import { apiFor, apiOf, serverFor } from './api.ts'
import { withServer } from './arguments/options.ts'
import { ClientError } from './errors.ts'
import { lineReader } from './last-lines.ts'
import { startHeartbeatReport } from './on-call/heartbeat-report.ts'
import { isPingAddress, pingerAt, pingerOf } from './ping.ts'

type Options = { slug?: string; heartbeat?: string; lines: boolean; tty?: boolean }

export function runCommand(): Command {
  const command = new Command('run')
    .description('run a command, and show it as a live activity with its last lines, or report it to a heartbeat')
    .summary('run a command, and show it as a live activity')
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--slug <slug>', 'slug of the activity (default: the name of the command)')
    .option('--heartbeat <slug>', 'ping this heartbeat (a slug or an address) instead; with --slug: both')
    .option('--no-lines', 'send no output; the command keeps the terminal to itself')
    .option('--tty', 'on a terminal: give the command one of its own, for colours and progress')
    .passThroughOptions()
    .addHelpText('after', '\nIts output is sent to the server, secrets included. Its exit code is passed on.')
  withServer(command, 'heliograph run --heartbeat backup -- restic backup /home')
  return command.action(async ([file, ...args]: [string, ...string[]], options: Options) => {
    const reports = openReports(command, [file, ...args], options)
    const [program, ...words] = options.tty ? onTerminal([file, ...args]) : [file, ...args]
    const child = spawn(program, words, { stdio: ['inherit', ...outputs(options)] })
    const exit = await passThrough(child, (text, from) => {
      for (const report of reports) report.add(text, from)
    })
    await Promise.all(reports.map((report) => report.finish(exit)))
    endAs(exit)
  })
}

// script(1) of util-linux opens a pseudo-terminal, which Node.js cannot. Where there is none, or no terminal to be like, the
// command runs without.
function onTerminal(words: [string, ...string[]]): [string, ...string[]] {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return words
  if (process.platform === 'linux' && isInPath('script'))
    return ['script', '-qefc', `exec ${words.map(quotedForShell).join(' ')}`, '/dev/null']
  console.error('heliograph: --tty needs the program "script" of util-linux; running without')
  return words
}

const outputs = ({ lines }: Options): ('inherit' | 'pipe')[] => (lines ? ['pipe', 'pipe'] : ['inherit', 'inherit'])

type Stream = 'stdout' | 'stderr'
type Report = { add(text: string, from: Stream): void; finish(exit: Exit): Promise<void> }

// Without a usable server the command runs all the same, after one line of warning.
function openReports(command: Command, words: [string, ...string[]], options: Options): Report[] {
  let hasWarned = false
  const warn = (message: string) => {
    if (!hasWarned) console.error(`heliograph: not reported: ${message}`)
    hasWarned = true
  }
  const { slug, heartbeat } = options
  try {
    const toHeartbeat = heartbeat === undefined ? [] : [heartbeatReport(command, heartbeat, warn)]
    if (heartbeat !== undefined && slug === undefined) return toHeartbeat
    return [...toHeartbeat, activityReport(command, slug ?? slugOf(words[0]), words.join(' '), warn)]
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    warn(error.message)
    return []
  }
}

type Warn = (message: string) => void

function activityReport(command: Command, slug: string, title: string, warn: Warn): Report {
  const { add, finish } = startReport(apiFor(command), slug, title, warn)
  return { add, finish: (exit) => finish(outcomeOf(exit)) }
}

function heartbeatReport(command: Command, heartbeat: string, warn: Warn): Report {
  const server = isPingAddress(heartbeat) ? undefined : serverFor(command)
  const pinger = server ? pingerOf(apiOf(server), server, heartbeat) : Promise.resolve(pingerAt(heartbeat))
  const { addError, finish } = startHeartbeatReport(pinger, warn)
  return {
    add: (text, from) => from === 'stderr' && addError(text),
    finish: (exit) => finish(exitStatusOf(exit)),
  }
}

// "./backup.sh" becomes "backup-sh".
function slugOf(file: string): string {
  const slug = basename(file)
    .replace(/[^a-zA-Z0-9_-]+/g, '-')
    .replace(/^[^a-zA-Z0-9]+/, '')
  return slug.slice(0, 128) || 'run'
}

type Exit = { exitCode: number | null; signal: NodeJS.Signals | null }

async function passThrough(child: ChildProcess, add: Report['add']): Promise<Exit> {
  const stopForwarding = forwardSignals(child)
  copy(child, 'stdout', add)
  copy(child, 'stderr', add)
  try {
    const [exitCode, signal] = await once(child, 'close')
    return { exitCode, signal }
  } catch (error) {
    // As shells do: 127 for a command that is not there, 126 for one that cannot be run. The system also refuses access
    // (EACCES) when no folder of PATH has the command and one of them may not be read.
    const code = errorCode(error) === 'EACCES' && !isInPath(child.spawnfile) ? 'ENOENT' : errorCode(error)
    console.error(`heliograph: cannot run ${child.spawnfile} (${code})`)
    return { exitCode: code === 'ENOENT' ? 127 : 126, signal: null }
  } finally {
    stopForwarding()
  }
}

function isInPath(file: string): boolean {
  if (file.includes('/')) return true
  return commandFolders()
    .map((folder) => join(folder, file))
    .some((place) => existsSync(place) && statSync(place).isFile())
}

function copy(child: ChildProcess, name: Stream, add: Report['add']): void {
  const [from, to] = [child[name], process[name]]
  if (!from) return
  const lines = lineReader((text) => add(text, name))
  from.on('data', lines.take).on('end', lines.end)
  from.pipe(to, { end: false })
  // The kernel sends this signal to a program whose reader is gone. Node.js connects programs by sockets, which do not.
  to.on('error', () => {
    child.kill('SIGPIPE')
    from.destroy()
  })
}

// A terminal sends these to the command as well; forwarding them would deliver them twice.
const OF_TERMINALS: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT']
const OF_OTHERS: NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']

function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  const ignore = () => {}
  const listeners = [
    ...OF_TERMINALS.map((signal) => [signal, process.stdin.isTTY ? ignore : forward] as const),
    ...OF_OTHERS.map((signal) => [signal, forward] as const),
  ]
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

function outcomeOf({ exitCode, signal }: Exit): Outcome {
  if (signal) return { isSuccess: false, words: `Ended by ${signal}` }
  return exitCode === 0 ? { isSuccess: true, words: 'Done' } : { isSuccess: false, words: `Failed with ${exitCode}` }
}

// As shells report it.
const exitStatusOf = ({ exitCode, signal }: Exit): number => exitCode ?? 128 + constants.signals[signal ?? 'SIGTERM']

// Ends with the same exit code, or by the same signal.
function endAs(exit: Exit): never {
  if (exit.signal) process.kill(process.pid, exit.signal)
  process.exit(exitStatusOf(exit))
}

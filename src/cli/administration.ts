// What the administration commands share: open the database, do one thing, close; ask before something is deleted.
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { StartError } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'
import type { Config } from '../runtime/settings.ts'
import { withExample } from './output.ts'
import { configFrom, DATABASE_SETTINGS, withSettings } from './settings-options.ts'

// `mayCreate`: makes the SQLite database where there is none. Other commands refuse: they were started in the wrong folder.
type Opening = { mayCreate?: boolean }

export type OpenContext = (config: Config, opening: Opening) => Promise<{ ctx: Context; stop(): Promise<void> }>

export async function administer(
  open: OpenContext,
  command: Command,
  work: (ctx: Context) => Promise<void>,
  opening: Opening = {},
): Promise<void> {
  const config = configFrom(command)
  // The operator wants the output of the command, not the log.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel
  const { ctx, stop } = await open({ ...config, logLevel }, opening)
  try {
    await work(ctx)
  } finally {
    await stop()
  }
}

// `work` gets what commander passes to an action.
export const administration = <Args extends unknown[]>(
  open: OpenContext,
  command: Command,
  work: (ctx: Context, ...args: Args) => Promise<void>,
  opening?: Opening,
): Command => command.action((...args: Args) => administer(open, command, (ctx) => work(ctx, ...args), opening))

// A command with the options that all of them have. `place`: such as "org list"; `example`: what follows it.
export function onDatabase(place: string, description: string, example: string): Command {
  const command = new Command(place.split(' ').at(-1))
    .description(description)
    .option('--json', 'print one JSON object')
  return withExample(withSettings(command, DATABASE_SETTINGS), `heliograph ${place} ${example}`)
}

// For a command that deletes.
export const withYes = (command: Command): Command =>
  command.option('--yes', 'do not ask; needed if there is no terminal to ask on')

// The person types the name, because a "y" is typed out of habit.
export async function confirmByName(command: Command, consequence: string, name: string): Promise<void> {
  if (!process.stdin.isTTY) command.error(`error: ${consequence} Give --yes to do that without being asked.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const typed = await terminal.question(`${consequence}\nType ${name} to go on: `)
    if (typed.trim() !== name) throw new StartError('nothing was deleted')
  } finally {
    terminal.close()
  }
}

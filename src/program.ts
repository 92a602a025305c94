// The command line. Each command is a file in cli/; what they share, and how failures are told, is here.
import { Command, CommanderError } from 'commander'
import type { OpenContext } from './cli/administration.ts'
import type { WriteBackup } from './cli/backup.ts'
import { ClientError, EXIT_CODES } from './cli/client-errors.ts'
import type { Diagnose } from './cli/doctor.ts'
import type { Restore } from './cli/restore.ts'
import type { StartApp } from './cli/serve.ts'
import type { StartWork } from './cli/work.ts'
import { Problem } from './contract/problems.ts'
import { StartError } from './domain/start-error.ts'
import { VERSION } from './runtime/version.ts'

const startApp: StartApp = async (config) => (await import('./app.ts')).startApp(config)
const startWork: StartWork = async (config) => (await import('./app.ts')).startWork(config)
const openContext: OpenContext = async (config) => (await import('./app.ts')).openContext(config)

const writeBackup: WriteBackup = async (...args) => (await import('./backups.ts')).writeBackup(...args)
const restoreFrom: Restore = async (...args) => (await import('./backups.ts')).restoreFrom(...args)
const diagnose: Diagnose = async (config) => (await import('./doctor.ts')).diagnose(config)

// Only the command that runs is loaded: the modules of the server take 0.3 s, which a client command need not wait for.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand(startApp),
  work: async () => (await import('./cli/work.ts')).workCommand(startWork),
  signin: async () => (await import('./cli/signin.ts')).signInCommand(openContext),
  user: async () => (await import('./cli/user.ts')).userCommand(openContext),
  org: async () => (await import('./cli/org.ts')).orgCommand(openContext),
  token: async () => (await import('./cli/token.ts')).tokenCommand(openContext),
  backup: async () => (await import('./cli/backup.ts')).backupCommand(writeBackup),
  restore: async () => (await import('./cli/restore.ts')).restoreCommand(restoreFrom),
  doctor: async () => (await import('./cli/doctor.ts')).doctorCommand(diagnose),
  share: async () => (await import('./cli/share.ts')).shareCommand(),
}

export async function runProgram(): Promise<void> {
  try {
    const program = await loadProgram(process.argv[2] ?? '')
    await program.parseAsync()
  } catch (error) {
    process.exitCode = tellFailure(error)
  }
}

// Loads the named command; all of them for the help, or if no command has this name.
async function loadProgram(name: string): Promise<Command> {
  const program = new Command('heliograph')
    .description('Puts information from your programs on your devices.')
    .version(VERSION)
  const chosen = Object.entries(COMMANDS).filter(([command]) => command === name)
  const loaded = chosen.length > 0 ? chosen : Object.entries(COMMANDS)
  for (const [, load] of loaded) program.addCommand(await load())
  throwInsteadOfExit(program)
  return program
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  command.commands.forEach(throwInsteadOfExit)
}

// Returns the exit code.
function tellFailure(error: unknown): number {
  // Commander has printed the message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (!(error instanceof StartError) && !(error instanceof Problem) && !(error instanceof ClientError)) throw error
  console.error(`heliograph: ${error.message}`)
  return error instanceof ClientError ? error.exitCode : 1
}

// The command line. Each command is a file in cli/; what they share, and how failures are told, is here.
import { Command, CommanderError } from 'commander'
import type { OpenContext } from './cli/administration.ts'
import type { WriteBackup } from './cli/backup.ts'
import { ClientError, EXIT_CODES } from './cli/client/errors.ts'
import type { Diagnose } from './cli/doctor.ts'
import { withExample } from './cli/help-text.ts'
import { endQuietlyWithoutReader } from './cli/output.ts'
import type { Restore } from './cli/restore.ts'
import type { StartApp } from './cli/serve.ts'
import type { StartWork } from './cli/work.ts'
import { Problem } from './contract/problems.ts'
import { SettingError, StartError } from './domain/start-error.ts'
import { VERSION } from './runtime/version.ts'

const startApp: StartApp = async (config) => (await import('./app.ts')).startApp(config)
const startWork: StartWork = async (config) => (await import('./app.ts')).startWork(config)
const openContext: OpenContext = async (config) => (await import('./app.ts')).openContext(config)

const writeBackup: WriteBackup = async (...args) => (await import('./backups.ts')).writeBackup(...args)
const restoreFrom: Restore = async (...args) => (await import('./backups.ts')).restoreFrom(...args)
const diagnose: Diagnose = async (config) => (await import('./doctor.ts')).diagnose(config)

// Only the command that runs is loaded: the modules of the server take 0.3 s, which a client command need not wait for.
const CLIENT_COMMANDS: Record<string, () => Promise<Command>> = {
  send: async () => (await import('./cli/client/send.ts')).sendCommand(),
  ask: async () => (await import('./cli/client/ask.ts')).askCommand(),
  run: async () => (await import('./cli/client/run.ts')).runCommand(),
  inbox: async () => (await import('./cli/client/inbox.ts')).inboxCommand(),
  widget: async () => (await import('./cli/client/widget.ts')).widgetCommand(),
  activity: async () => (await import('./cli/client/activity.ts')).activityCommand(),
  heartbeat: async () => (await import('./cli/client/heartbeat.ts')).heartbeatCommand(),
  escalation: async () => (await import('./cli/client/escalation.ts')).escalationCommand(),
  quiet: async () => (await import('./cli/client/on-call/quiet.ts')).quietCommand(),
  mute: async () => (await import('./cli/client/on-call/mute.ts')).muteCommand(),
  schedule: async () => (await import('./cli/client/schedule.ts')).scheduleCommand(),
  receipt: async () => (await import('./cli/client/receipt.ts')).receiptCommand(),
  share: async () => (await import('./cli/client/share.ts')).shareCommand(),
  mcp: async () => (await import('./cli/client/mcp.ts')).mcpCommand(),
  key: async () => (await import('./cli/client/account/key.ts')).keyCommand(),
  hook: async () => (await import('./cli/client/account/hook.ts')).hookCommand(),
  device: async () => (await import('./cli/client/account/device.ts')).deviceCommand(),
  me: async () => (await import('./cli/client/account/me.ts')).meCommand(),
  login: async () => (await import('./cli/client/login.ts')).loginCommand(),
  logout: async () => (await import('./cli/client/login.ts')).logoutCommand(),
  profiles: async () => (await import('./cli/client/login.ts')).profilesCommand(),
  completion: async () => (await import('./cli/completion.ts')).completionCommand(() => loadProgram()),
}
const SERVER_COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand(startApp),
  work: async () => (await import('./cli/work.ts')).workCommand(startWork),
  signin: async () => (await import('./cli/signin.ts')).signInCommand(openContext),
  user: async () => (await import('./cli/user.ts')).userCommand(openContext),
  org: async () => (await import('./cli/org.ts')).orgCommand(openContext),
  token: async () => (await import('./cli/token.ts')).tokenCommand(openContext),
  backup: async () => (await import('./cli/backup.ts')).backupCommand(writeBackup),
  restore: async () => (await import('./cli/restore.ts')).restoreCommand(restoreFrom),
  doctor: async () => (await import('./cli/doctor.ts')).doctorCommand(diagnose),
}
const GROUPS = { 'Commands for senders:': CLIENT_COMMANDS, 'Commands for operators:': SERVER_COMMANDS }

// Returns the exit code. A service that has started keeps the process running.
export async function runProgram(args: string[]): Promise<number> {
  if (!outlivesItsReader(args)) endQuietlyWithoutReader()
  try {
    if (args[0] === 'help') return await showHelp(args.slice(1))
    const program = await loadProgram(args[0])
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return tellFailure(error)
  }
}

// A service goes on without a reader of its log, and so does a command that another program runs in.
const outlivesItsReader = ([name = '', option]: string[]) =>
  ['serve', 'work', 'run'].includes(name) && option !== '--help'

// Topics are not commands, so that they do not appear in the list of commands.
async function showHelp(words: string[]): Promise<number> {
  const { HELP_TOPICS } = await import('./cli/help-topics.ts')
  const [name] = words
  if (name !== undefined && Object.hasOwn(HELP_TOPICS, name)) {
    console.log(HELP_TOPICS[name]?.())
    return 0
  }
  // An unknown name alone is an error that suggests another.
  return runProgram(name === undefined || isCommand(name) ? [...words, '--help'] : [name])
}

const isCommand = (name: string) => Object.values(GROUPS).some((commands) => Object.hasOwn(commands, name))

// Loads the named command; all of them for the help, or if no command has this name.
export async function loadProgram(name?: string): Promise<Command> {
  const program = new Command('heliograph')
    .description('Puts information from your programs on your devices.')
    .version(VERSION)
    // The options after a command are its own, so that "run" can leave those of its command alone.
    .enablePositionalOptions()
    .helpCommand(false)
    .helpOption('-h, --help', 'display help; also "help NAME" (a command, clients, settings)')
  const isOne = name !== undefined && isCommand(name)
  for (const [heading, commands] of Object.entries(GROUPS)) {
    for (const [command, load] of Object.entries(commands)) {
      if (!isOne || command === name) program.addCommand((await load()).helpGroup(heading))
    }
  }
  withExample(program, 'heliograph help send')
  prepare(program, 'heliograph')
  return program
}

// Errors are thrown instead of ending the process, and wrong usage is followed by a hint. Lists of commands show their names
// only: with the arguments there would be no room for what they do.
function prepare(command: Command, name: string): void {
  command.configureHelp({ subcommandTerm: (child) => child.name() })
  // One style for all errors; commander begins its own with "error: ".
  command.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'heliograph: ')) })
  command.exitOverride().showHelpAfterError(`"${name} --help" lists what it accepts`)
  for (const child of command.commands) prepare(child, `${name} ${child.name()}`)
}

// Returns the exit code.
function tellFailure(error: unknown): number {
  // Commander has printed the message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (!(error instanceof StartError) && !(error instanceof Problem) && !(error instanceof ClientError)) throw error
  console.error(`heliograph: ${error.message}`)
  if (error instanceof SettingError) return EXIT_CODES.usage
  return error instanceof ClientError ? error.exitCode : 1
}

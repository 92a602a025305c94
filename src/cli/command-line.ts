// What the program of the server and the command line that it hands out share: how a command is found and run, the help, and
// how failures are told. Each command is a file in cli/.
import { Command, CommanderError } from 'commander'
import { Problem } from '../contract/problems.ts'
import { SettingError, StartError } from '../domain/errors.ts'
import { VERSION } from '../runtime/version.ts'
import { ClientError, EXIT_CODES } from './client/errors.ts'
import type { HelpTopic } from './help-topics.ts'
import { endQuietlyWithoutReader, setQuiet, withExample } from './output.ts'

export type CommandLine = {
  // By the heading under which the help lists them. Each command is loaded when it runs.
  groups: Record<string, Record<string, () => Promise<Command>>>
  // What "heliograph help TOPIC" can explain besides the commands.
  topics: HelpTopic[]
}

// Commands that need the database or the settings of the server.
const OPERATOR_COMMANDS = [
  'serve',
  'work',
  'migrate',
  'signin',
  'user',
  'org',
  'token',
  'import',
  'backup',
  'restore',
  'doctor',
] as const
export type OperatorCommand = (typeof OPERATOR_COMMANDS)[number]

export function commandLine({ groups, topics }: CommandLine) {
  const [firstGroup = ''] = Object.keys(groups)
  const completion = async () => (await import('./completion.ts')).completionCommand(() => loadProgram(), topics)
  const commands = Object.entries({ ...groups, [firstGroup]: { ...groups[firstGroup], completion } }).flatMap(
    ([heading, group]) => Object.entries(group).map(([name, load]) => ({ name, load, heading })),
  )
  const isCommand = (name: string) => commands.some((command) => command.name === name)

  // Returns the exit code. A service that has started keeps the process running.
  async function runProgram(args: string[]): Promise<number> {
    if (!outlivesItsReader(args)) endQuietlyWithoutReader()
    setQuiet(false)
    try {
      if (args[0] === 'help') return await showHelp(args.slice(1))
      checkPlace(args[0])
      const program = await loadProgram(args[0])
      await program.parseAsync(args, { from: 'user' })
      return 0
    } catch (error) {
      return tellFailure(error)
    }
  }

  // Topics are not commands, so that they do not appear in the list of commands.
  async function showHelp(words: string[]): Promise<number> {
    const { HELP_TOPICS } = await import('./help-topics.ts')
    const [name] = words
    const topic = topics.find((one) => one === name)
    if (topic) {
      console.log(HELP_TOPICS[topic]())
      return 0
    }
    // An unknown name alone is an error that suggests another.
    return runProgram(name === undefined || isCommand(name) ? [...words, '--help'] : [name])
  }

  function checkPlace(name: string | undefined): void {
    if (!OPERATOR_COMMANDS.some((one) => one === name) || isCommand(String(name))) return
    throw new ClientError(EXIT_CODES.usage, `"${name}" is a command of the server: run it where the server runs`)
  }

  // Loads the named command; none for the version, all of them for the help, or if no command has this name.
  async function loadProgram(name?: string): Promise<Command> {
    const program = new Command('heliograph')
      .description('Puts information from your programs on your devices.')
      .version(VERSION)
      // The options after a command are its own, so that "run" can leave those of its command alone.
      .enablePositionalOptions()
      .helpCommand(false)
      .helpOption('-h, --help', `display help; also "help NAME" (${['a command', ...topics].join(', ')})`)
    const isOne = name !== undefined && isCommand(name)
    for (const command of ['-V', '--version'].includes(String(name)) ? [] : commands) {
      if (!isOne || command.name === name) program.addCommand((await command.load()).helpGroup(command.heading))
    }
    withExample(program, 'heliograph help send')
    prepare(program, 'heliograph')
    return program
  }

  return { runProgram, loadProgram }
}

// A service goes on without a reader of its log, and so does a command that another program runs in.
const outlivesItsReader = ([name = '', option]: string[]) =>
  ['serve', 'work', 'run'].includes(name) && option !== '--help'

// Errors are thrown instead of ending the process, and wrong usage is followed by a hint. Lists of commands show their names
// only: with the arguments there would be no room for what they do.
function prepare(command: Command, name: string): void {
  command.configureHelp({ subcommandTerm: (child) => child.name() })
  command.configureOutput({ outputError: (text, write) => write(inOurWords(text)) })
  command.exitOverride().showHelpAfterError(`"${name} --help" lists what it accepts`)
  for (const child of command.commands) prepare(child, `${name} ${child.name()}`)
}

// One style for all errors: commander begins its own with "error: ", and speaks of values of command-arguments.
const inOurWords = (text: string) =>
  text
    .replace(/^error: /, 'heliograph: ')
    .replace(/command-argument value ('.*') is invalid for argument '(\w+)'\. It/, '$1 is no $2: it')

// Returns the exit code.
function tellFailure(error: unknown): number {
  // Commander has printed the message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage
  if (!(error instanceof StartError) && !(error instanceof Problem) && !(error instanceof ClientError)) throw error
  console.error(`heliograph: ${error.message}`)
  if (error instanceof SettingError) return EXIT_CODES.usage
  return error instanceof ClientError ? error.exitCode : 1
}

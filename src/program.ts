// The command line. Each command is a file in cli/; what they share, and how failures are told, is here.
import { Command } from 'commander'
import { openContext, startApp, startWork } from './app.ts'
import { serveCommand } from './cli/serve.ts'
import { signInCommand } from './cli/signin.ts'
import { tokenCommand } from './cli/token.ts'
import { userCommand } from './cli/user.ts'
import { workCommand } from './cli/work.ts'
import { Problem } from './contract/problems.ts'
import { StartError } from './domain/start-error.ts'
import { VERSION } from './runtime/version.ts'

const program = new Command('heliograph')
  .description('Puts information from your programs on your devices.')
  .version(VERSION)
  .addCommand(serveCommand(startApp))
  .addCommand(workCommand(startWork))
  .addCommand(signInCommand(openContext))
  .addCommand(userCommand(openContext))
  .addCommand(tokenCommand(openContext))

export async function runProgram(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    if (!(error instanceof StartError) && !(error instanceof Problem)) throw error
    console.error(`heliograph: ${error.message}`)
    process.exitCode = 1
  }
}

// The end of the help of a command: an example that can be copied.
import type { Command } from 'commander'

export function withExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

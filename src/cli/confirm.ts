// Asks on the terminal before something is deleted that cannot be restored.
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { StartError } from '../domain/errors.ts'

// The person types the name: an "y" by reflex deletes nothing.
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

// heliograph migrate: the schema alone, as a step before new nodes start. A node does the same at its start.
import type { Command } from 'commander'
import { administration, type OpenContext, onDatabase } from './administration.ts'
import { print } from './output.ts'

export function migrateCommand(open: OpenContext): Command {
  const command = onDatabase('migrate', 'bring the schema of the database up to date, and end', '--json')
  // To open the database migrates it.
  const work = async (_ctx: unknown, { json }: { json?: boolean }) =>
    print(json, { up_to_date: true }, 'the schema of the database is up to date')
  return administration(open, command, work, { mayCreate: true })
}

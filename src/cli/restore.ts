// heliograph restore
import { createReadStream } from 'node:fs'
import { Command } from 'commander'
import { errorCode, StartError } from '../domain/errors.ts'
import { type Restored, type Verified, verifyBackup } from '../operations/backup/restore.ts'
import type { Config } from '../runtime/settings.ts'
import { print, withExample } from './output.ts'
import { configFrom, DATABASE_SETTINGS, withSettings } from './settings-options.ts'

export type Restore = (config: Config, compressed: AsyncIterable<Buffer>) => Promise<Restored>

export function restoreCommand(restore: Restore): Command {
  const command = new Command('restore')
    .description('restore a backup into an empty data folder or database')
    .argument('<file>', 'the backup, or - for the standard input')
    .option('--check', 'only verify that the backup is complete and can be restored')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), 'heliograph restore /var/backups/heliograph.backup')
  return command.action(async (file: string, options: { check?: boolean; json?: boolean }) => {
    const config = configFrom(command)
    // A damaged backup is refused before anything is written. The standard input can be read only once.
    const verified = file === '-' && !options.check ? undefined : await verifyBackup(bytesOf(file))
    const done = options.check && verified ? verified : await restore(config, bytesOf(file))
    print(options.json, summary(done), `${options.check ? 'verified' : 'restored'} ${inWords(done)}`)
  })
}

const summary = ({ header, rows }: Verified) => ({ made_at: header.made_at, schema: header.schema, rows })
const inWords = ({ header, rows }: Verified) =>
  `${rows} rows of the backup of ${header.made_at} (schema ${header.schema}, Heliograph ${header.program})`

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    throw new StartError(`${file} cannot be read (${errorCode(error) ?? error})`)
  }
}

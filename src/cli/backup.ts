// heliograph backup
import { statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { Command } from 'commander'
import { createOutputFile } from '../runtime/durable-files.ts'
import type { Config } from '../runtime/settings.ts'
import { print, withExample } from './output.ts'
import { configFrom, DATABASE_SETTINGS, withSettings } from './settings-options.ts'

// Returns the number of rows.
export type WriteBackup = (config: Config, sink: Writable) => Promise<number>

type Options = { force?: boolean; json?: boolean }

export function backupCommand(writeBackup: WriteBackup): Command {
  const command = new Command('backup')
    .description('write all data and secrets of this server to one file')
    .argument('<file>', 'where to write it, or - for the standard output')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print one JSON object')
  withExample(withSettings(command, DATABASE_SETTINGS), 'heliograph backup /var/backups/heliograph.backup')
  return command.action(async (file: string, options: Options) => {
    const config = configFrom(command)
    if (file === '-') return void (await writeBackup(config, process.stdout))
    const rows = await backUpToFile(writeBackup, config, file, options)
    const { size: bytes } = statSync(file)
    print(options.json, { file, rows, bytes }, `backed up ${rows} rows to ${file} (${bytes} bytes)`)
  })
}

async function backUpToFile(writeBackup: WriteBackup, config: Config, file: string, { force = false }: Options) {
  const output = createOutputFile(file, { overwrite: force })
  try {
    const rows = await writeBackup(config, output.stream)
    output.finish()
    return rows
  } finally {
    output.discard()
  }
}

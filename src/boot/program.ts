// The program of the server: the commands for operators beside those for senders.
import type { Command } from 'commander'
import type { OpenContext } from '../cli/administration.ts'
import type { WriteBackup } from '../cli/backup.ts'
import { CLIENT_COMMANDS } from '../cli/client/commands.ts'
import { commandLine, type OperatorCommand } from '../cli/command-line.ts'
import type { Diagnose } from '../cli/doctor.ts'
import type { Restore } from '../cli/restore.ts'
import type { StartApp } from '../cli/serve.ts'
import type { StartWork } from '../cli/work.ts'

const startApp: StartApp = async (config) => (await import('./app.ts')).startApp(config)
const startWork: StartWork = async (config) => (await import('./app.ts')).startWork(config)
const openContext: OpenContext = async (config, { mayCreate = false }) => {
  if (!mayCreate) (await import('./open-database.ts')).requireDatabase(config)
  return (await import('./context.ts')).openContext(config)
}

const writeBackup: WriteBackup = async (...args) => (await import('./backups.ts')).writeBackup(...args)
const restoreFrom: Restore = async (...args) => (await import('./backups.ts')).restoreFrom(...args)
const diagnose: Diagnose = async (config) => (await import('./doctor.ts')).diagnose(config)

const SERVER_COMMANDS: Record<OperatorCommand, () => Promise<Command>> = {
  serve: async () => (await import('../cli/serve.ts')).serveCommand(startApp),
  work: async () => (await import('../cli/work.ts')).workCommand(startWork),
  migrate: async () => (await import('../cli/migrate.ts')).migrateCommand(openContext),
  signin: async () => (await import('../cli/signin.ts')).signInCommand(openContext),
  user: async () => (await import('../cli/user.ts')).userCommand(openContext),
  org: async () => (await import('../cli/org.ts')).orgCommand(openContext),
  token: async () => (await import('../cli/token.ts')).tokenCommand(openContext),
  import: async () => (await import('../cli/import.ts')).importCommand(openContext),
  backup: async () => (await import('../cli/backup.ts')).backupCommand(writeBackup),
  restore: async () => (await import('../cli/restore.ts')).restoreCommand(restoreFrom),
  doctor: async () => (await import('../cli/doctor.ts')).doctorCommand(diagnose),
}

export const { runProgram, loadProgram } = commandLine({
  groups: { 'Commands for senders:': CLIENT_COMMANDS, 'Commands for operators:': SERVER_COMMANDS },
  topics: ['clients', 'settings'],
})

// What the administration commands share: open the database, do one thing, close.
import type { Command } from 'commander'
import type { Context } from '../operations/context.ts'
import type { Config } from '../runtime/settings.ts'
import { configFrom } from './settings-options.ts'

export type OpenContext = (config: Config) => Promise<{ ctx: Context; stop(): Promise<void> }>

export async function administer(
  open: OpenContext,
  command: Command,
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  const config = configFrom(command)
  // The operator wants the output of the command, not the log.
  const { ctx, stop } = await open({ ...config, logLevel: config.logLevel === 'info' ? 'warn' : config.logLevel })
  try {
    await work(ctx)
  } finally {
    await stop()
  }
}

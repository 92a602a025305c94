// heliograph work: background jobs only, beside any number of serving nodes on PostgreSQL.
import { Command } from 'commander'
import type { Config } from '../runtime/settings.ts'
import { configFrom, withSettings } from './settings-options.ts'
import { type Running, stopOnSignal } from './stop-on-signal.ts'

export type StartWork = (config: Config) => Promise<Running>

export function workCommand(start: StartWork): Command {
  const command = new Command('work').description(
    'run background jobs only, on the same PostgreSQL as the serving nodes',
  )
  return withSettings(command, ['databaseUrl', 'dataDir', 'publicUrl', 'logLevel', 'logFormat']).action(async () => {
    const app = await start(configFrom(command))
    stopOnSignal(app)
    app.worker.start()
    // Timers alone do not keep Node alive, by design; a worker's job is to stay.
    setInterval(() => {}, 2 ** 30)
    console.log('working')
  })
}

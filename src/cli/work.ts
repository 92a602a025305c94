// heliograph work: background jobs only, beside any number of serving nodes on PostgreSQL.
import { Command } from 'commander'
import { type Config, SETTING_NAMES, type SettingName } from '../runtime/settings.ts'
import { withExample } from './output.ts'
import { configFrom, withSettings } from './settings-options.ts'
import { type Running, stopOnSignal } from './stop-on-signal.ts'

// Settings of the listener and of requests. Jobs need all others, above all those of the push channels.
const OF_REQUESTS: SettingName[] = [
  'host',
  'port',
  'trustProxy',
  'corsOrigins',
  'defaultPlan',
  'rateLimitPerMinute',
  'maxConnections',
  'drainSeconds',
  'appleAudience',
  'appleKeysUrl',
]
const SHOWN_SETTINGS: SettingName[] = ['databaseUrl', 'dataDir', 'publicUrl']
const OF_JOBS = SETTING_NAMES.filter((name) => !OF_REQUESTS.includes(name))

export type StartWork = (config: Config) => Promise<Running>

export function workCommand(start: StartWork): Command {
  const command = new Command('work')
    .description('run background jobs only, on the same PostgreSQL as the serving nodes')
    .summary('run background jobs only')
  withExample(withSettings(command, OF_JOBS, SHOWN_SETTINGS), 'HELIOGRAPH_DATABASE_URL=postgres://… heliograph work')
  return command.action(async () => {
    const app = await start(configFrom(command))
    stopOnSignal(app)
    app.worker.start()
    // The timers are unref'ed and do not keep Node running, so this does.
    setInterval(() => {}, 2 ** 30)
    console.log('working')
  })
}

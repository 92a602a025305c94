// heliograph serve: the whole service in one process.
import { Command } from 'commander'
import { Problem } from '../contract/problems.ts'
import { addUser, allUsers, createToken, revokeToken } from '../operations/accounts/accounts.ts'
import type { Context } from '../operations/context.ts'
import { storeServingAddress } from '../runtime/serving-address.ts'
import { type Config, SETTING_NAMES, SETTINGS } from '../runtime/settings.ts'
import { startDemoDevice } from './demo-device/demo-device.ts'
import { withExample } from './output.ts'
import { configFrom, SHOWN_SETTINGS, withSettings } from './settings-options.ts'
import { signInLink } from './signin.ts'
import { type Running, stopOnSignal } from './stop-on-signal.ts'

export type StartApp = (config: Config) => Promise<Running & { url: string }>

const OPERATOR = 'operator'

export function serveCommand(start: StartApp): Command {
  const command = new Command('serve')
    .description('start the service; nothing else is needed')
    .option(
      '--demo-device',
      'show in this terminal what a phone of the first account would show; the log has warnings only',
    )
  withExample(
    withSettings(command, SETTING_NAMES, SHOWN_SETTINGS),
    'heliograph serve --port 9000 --data-dir /var/lib/heliograph',
  )
  return command.action(async (options: { demoDevice?: boolean }) => {
    const config = configFrom(command)
    const app = await start(options.demoDevice ? withQuietLog(config) : config)
    let switchOff = async () => {}
    // Before the "listening" line: its reader may send a signal at once.
    stopOnSignal(app, () => switchOff())
    const publicUrl = config.publicUrl ?? app.url
    storeServingAddress(config, publicUrl)
    await welcome(app.ctx, publicUrl).catch(async (error) => {
      await app.stop()
      throw error
    })
    app.worker.start()
    console.log(`listening on ${app.url}`)
    if (options.demoDevice) switchOff = await openDemoDevice(app)
  })
}

// A line per request would hide what the demo device shows.
const withQuietLog = (config: Config): Config =>
  config.logLevel === SETTINGS.logLevel.fallback ? { ...config, logLevel: 'warn' } : config

// The first start on an empty database creates the operator's account and prints its sign-in link once.
async function welcome(ctx: Context, publicUrl: string): Promise<void> {
  if ((await allUsers(ctx)).length > 0) return
  const account = await addUser(ctx, OPERATOR, 'paid', { isOperator: true }).catch(unlessTaken)
  if (!account) return
  const { user, defaultKey } = account
  const link = await signInLink(ctx, user.id, publicUrl)
  // Loaded once in the life of a server.
  const { welcomeText } = await import('./welcome.ts')
  console.log(welcomeText({ url: publicUrl, signInLink: link, defaultKey, isTerminal: process.stdout.isTTY }))
}

// Another node that started at the same time has created and printed it.
function unlessTaken(error: unknown): undefined {
  if (error instanceof Problem && error.problem === 'user.name_taken') return
  throw error
}

// The device's token is revoked when the process stops.
async function openDemoDevice({ ctx, url }: Running & { url: string }): Promise<() => Promise<void>> {
  const [user] = await allUsers(ctx)
  if (!user) return async () => {}
  const token = await createToken(ctx, user.id, 'hla')
  const switchOff = await startDemoDevice(url, token)
  return async () => {
    switchOff()
    await revokeToken(ctx, user.id, token)
  }
}

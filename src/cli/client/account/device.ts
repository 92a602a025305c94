// heliograph device add | list | rm: the devices of the account, and apps of other services as devices.
import { Command, Option } from 'commander'
import type { AddedApp, AppDeviceView, DeviceView } from '../../../contract/devices.ts'
import { PHONE_ABILITIES, PHONE_APP_NAMES } from '../../../domain/apps/abilities.ts'
import { columns, commandGroup, print, printableLine } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'
import { listCommand, removeById } from '../common-commands.ts'

export const deviceCommand = (): Command =>
  commandGroup(
    'device',
    'add the ntfy, Gotify or Bark app of a phone, and list devices; needs a full-access token',
    'heliograph device add Pixel --app ntfy',
    [addCommand(), listDevices(), removeDevice()],
  ).summary('add the ntfy, Gotify or Bark app of a phone')

const APP_NAMES: Record<AddedApp, string> = { ntfy: 'ntfy', gotify: 'Gotify', bark: 'Bark' }

type AddOptions = { app: AddedApp; address?: string; encrypt?: boolean; json?: boolean }

function addCommand(): Command {
  const command = new Command('add')
    .description('add the app of another service as a device; its password or address is printed once')
    .argument('[name]', 'name of the device (default: the name of the app)')
    .addOption(new Option('--app <app>', 'app on the phone').choices(Object.keys(APP_NAMES)).makeOptionMandatory())
    .option('--address <url>', 'Bark: what the app shows for another server, to push through that server')
    .option('--encrypt', 'Bark: encrypt pushes for the app, with a key that is printed')
  return asClient(command, 'heliograph device add Pixel --app ntfy').action(
    async (name: string | undefined, options: AddOptions) => {
      const { app: kind, address, encrypt } = options
      const input = { kind, name: name ?? `${APP_NAMES[kind]} app`, address, encrypt }
      const { body } = await apiFor(command)<AppDeviceView>('POST', '/devices/apps', input)
      const code = process.stdout.isTTY && !options.json ? await accessAsQr(body) : ''
      print(options.json, body, `${appInWords(options.app, body)}\n\n${abilitiesOf(options.app)}${code}`)
    },
  )
}

const accessOf = ({ server_url, user, password, topic, encryption_key }: AppDeviceView): string[][] =>
  Object.entries({ server: server_url, user, password, topic, 'encryption key': encryption_key }).flatMap(
    ([name, value]) => (value === undefined ? [] : [[name, value]]),
  )

function appInWords(app: AddedApp, device: AppDeviceView): string {
  if (app === 'bark' && device.server_url === undefined) {
    const { host = 'its server' } = device.device
    return [`Added: pushes go through ${host}.`, columns(accessOf(device)), ...keySteps(device)]
      .filter(Boolean)
      .join('\n')
  }
  const what = app === 'bark' ? 'address is good for one phone within 10 minutes, and' : 'password'
  const steps = [...STEPS[app], ...keySteps(device)]
  return `${columns(accessOf(device))}\nThe ${what} is shown only now.\n\n${steps.join('\n')}`
}

// The same words as in the console and the documentation.
const abilitiesOf = (app: AddedApp): string =>
  `What ${PHONE_APP_NAMES[app]} can do:\n${columns(Object.values(PHONE_ABILITIES).map((ability) => [ability.name, ability[app]]))}`

const keySteps = ({ encryption_key }: AppDeviceView): string[] =>
  encryption_key === undefined ? [] : ['In the Bark app, Settings, Encryption: AES256, GCM, and the encryption key.']

// The values as text, one per line, to copy on the phone: the apps of ntfy and Gotify cannot scan them. Bark can scan its server.
async function accessAsQr(device: AppDeviceView): Promise<string> {
  const { qrForTerminal } = await import('../../terminal-qr.ts')
  const values = accessOf(device).map(([, value]) => value)
  if (values.length === 0) return ''
  return `\n\nScanned with the camera of the phone, this shows the values as text:\n${qrForTerminal(values.join('\n'))}`
}

const STEPS: Record<AddedApp, string[]> = {
  ntfy: [
    'In the ntfy app:',
    '1. Settings, Manage users, Add new user: the server, the user and the password.',
    '2. Back, +, the topic, Use another server: the server. Subscribe.',
    'The name of a source as the topic shows its notifications only.',
  ],
  gotify: ['In the Gotify app:', '1. The server, Check URL.', '2. The user and the password, Login, Create a client.'],
  bark: ['In the Bark app:', '1. The cloud at the top, +, the server (or scan it). Done.', '2. Allow notifications.'],
}

const listDevices = (): Command =>
  listCommand<DeviceView>('device', 'list the devices', {
    path: '/devices',
    row: ({ id, name, platform, last_seen_at }) => [id, printableLine(name), platform, `seen ${last_seen_at}`],
    none: 'no devices yet',
  })

const removeDevice = (): Command =>
  removeById('device', 'remove a device; its password and its connections end at once', '/devices', 'removed')

// heliograph device add | list | rm: the devices of the account, and apps of other services as devices.
import { Command, Option } from 'commander'
import { APP_KINDS, type AppDeviceView, type AppKind, type DeviceView } from '../../../contract/devices.ts'
import { columns, commandGroup, print, printableLine } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'
import { listCommand, removeById } from '../common-commands.ts'

export const deviceCommand = (): Command =>
  commandGroup(
    'device',
    'add the ntfy or Gotify app of a phone, and list devices; needs a full-access token',
    'heliograph device add Pixel --app ntfy',
    [addCommand(), listDevices(), removeDevice()],
  ).summary('add the ntfy or Gotify app of a phone')

const APP_NAMES: Record<AppKind, string> = { ntfy: 'ntfy', gotify: 'Gotify' }

type AddOptions = { app: AppKind; json?: boolean }

function addCommand(): Command {
  const command = new Command('add')
    .description('add the app of another service as a device; its password is printed once')
    .argument('[name]', 'name of the device (default: the name of the app)')
    .addOption(new Option('--app <app>', 'app on the phone').choices([...APP_KINDS]).makeOptionMandatory())
  return asClient(command, 'heliograph device add Pixel --app ntfy').action(
    async (name: string | undefined, options: AddOptions) => {
      const input = { kind: options.app, name: name ?? `${APP_NAMES[options.app]} app` }
      const { body } = await apiFor(command)<AppDeviceView>('POST', '/devices/apps', input)
      const code = process.stdout.isTTY && !options.json ? await accessAsQr(body) : ''
      print(options.json, body, `${appInWords(options.app, body)}${code}`)
    },
  )
}

const accessOf = ({ server_url, user, password, topic }: AppDeviceView): string[][] => [
  ['server', server_url],
  ['user', user],
  ['password', password],
  ...(topic === undefined ? [] : [['topic', topic]]),
]

const appInWords = (app: AppKind, device: AppDeviceView): string =>
  `${columns(accessOf(device))}\nThe password is shown only now.\n\n${STEPS[app].join('\n')}`

// The values as text, one per line, to copy on the phone: the apps cannot scan them.
async function accessAsQr(device: AppDeviceView): Promise<string> {
  const { qrForTerminal } = await import('../../terminal-qr.ts')
  const values = accessOf(device).map(([, value]) => value)
  return `\n\nScanned with the camera of the phone, this shows the values as text:\n${qrForTerminal(values.join('\n'))}`
}

const STEPS: Record<AppKind, string[]> = {
  ntfy: [
    'In the ntfy app:',
    '1. Settings, Manage users, Add new user: the server, the user and the password.',
    '2. Back, +, the topic, Use another server: the server. Subscribe.',
    'The name of a source as the topic shows its notifications only.',
  ],
  gotify: ['In the Gotify app:', '1. The server, Check URL.', '2. The user and the password, Login, Create a client.'],
}

const listDevices = (): Command =>
  listCommand<DeviceView>('device', 'list the devices', {
    path: '/devices',
    row: ({ id, name, platform, last_seen_at }) => [id, printableLine(name), platform, `seen ${last_seen_at}`],
    none: 'no devices yet',
  })

const removeDevice = (): Command =>
  removeById('device', 'remove a device; its password and its connections end at once', '/devices', 'removed')

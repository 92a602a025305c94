// heliograph device add | list | rm: the devices of the account, and apps of other services as devices.
import { Command, Option } from 'commander'
import { APP_KINDS, type AppDeviceView, type AppKind, type DeviceView } from '../../../contract/devices.ts'
import { columns, print, printableLine, withExample } from '../../output.ts'
import { apiFor } from '../api.ts'
import { asClient } from '../arguments/options.ts'

export function deviceCommand(): Command {
  const command = new Command('device')
    .description('add the ntfy or Gotify app of a phone, and list devices; needs a full-access token')
    .summary('add the ntfy or Gotify app of a phone')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
  return withExample(command, 'heliograph device add Pixel --app ntfy')
}

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

function listCommand(): Command {
  const command = new Command('list').description('list the devices')
  return asClient(command, 'heliograph device list').action(async (options: { json?: boolean }) => {
    const { body } = await apiFor(command)<{ items: DeviceView[] }>('GET', '/devices')
    const rows = body.items.map((device) => [
      device.id,
      printableLine(device.name),
      device.platform,
      `seen ${device.last_seen_at}`,
    ])
    print(options.json, body, columns(rows) || 'no devices yet')
  })
}

function removeCommand(): Command {
  const command = new Command('rm')
    .description('remove a device; its password and its connections end at once')
    .argument('<id>', 'id of the device, as "heliograph device list" prints it')
  asClient(command, 'heliograph device rm 0b9c3f0e-2f6b-4c1e-9c38-6d3f8f2f6a11')
  return command.action(async (id: string, options: { json?: boolean }) => {
    await apiFor(command)('DELETE', `/devices/${encodeURIComponent(id)}`)
    print(options.json, { id, deleted: true }, `removed device ${id}`)
  })
}

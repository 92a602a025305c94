// heliograph quiet show | set | now | off: when the devices of the person stay silent.
import { Command, Option } from 'commander'
import type { QuietHoursInput, QuietHoursView, QuietWindow } from '../../../contract/holds.ts'
import { columns, commandGroup, print } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { apiFor } from '../api.ts'
import { asClient, UNTIL_HELP, untilTime } from '../arguments/options.ts'
import { showing } from '../common-commands.ts'
import { quietWindow } from './quiet-window.ts'

const PATH = '/auth/me/quiet-hours'
const DAY_SECONDS = 86_400

export const quietCommand = (): Command =>
  commandGroup(
    'quiet',
    'set when your devices stay silent; needs a full-access token',
    "heliograph quiet set 22:00-07:00 'sat,sun 22:00-09:00'",
    [showCommand(), setCommand(), nowCommand(), offCommand()],
  ).summary('set when your devices stay silent')

const showCommand = (): Command => {
  const command = new Command('show').description('show the quiet hours, and whether it is quiet now')
  return showing(command, 'heliograph quiet show', () => PATH, inWords)
}

type SetOptions = { timezone?: string; passes?: QuietHoursInput['passes']; digest: boolean; json?: boolean }

function setCommand(): Command {
  const command = new Command('set')
    .description('set the quiet hours; they replace those before')
    .argument('<window...>', 'such as 22:00-07:00, "mon-fri 22:00-07:00" or "sat,sun 23:30-09:00"', collectWindows)
    .option('--timezone <name>', 'of the times (default: that of this machine)')
    .addOption(
      new Option('--passes <level>', 'lowest level that is pushed all the same (default: time-sensitive)').choices([
        'time-sensitive',
        'critical',
      ]),
    )
    .option('--no-digest', 'do not tell at the end what was held')
  asClient(command, "heliograph quiet set 'mon-fri 22:00-07:00' --passes critical")
  return command.action(async (windows: QuietWindow[], options: SetOptions) => {
    const input: QuietHoursInput = {
      timezone: options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      windows,
      passes: options.passes,
      digest: options.digest,
    }
    const { body } = await apiFor(command)<QuietHoursView>('PUT', PATH, input)
    print(options.json, body, inWords(body))
  })
}

const parseWindow = optionParser(quietWindow)
const collectWindows = (text: string, before: QuietWindow[] = []): QuietWindow[] => [...before, parseWindow(text)]

function nowCommand(): Command {
  const command = new Command('now')
    .description('do not disturb from now on')
    .argument('<until>', UNTIL_HELP, optionParser(untilTime(30 * DAY_SECONDS)))
  return asClient(command, 'heliograph quiet now 2h').action(async (until: string, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<QuietHoursView>('POST', `${PATH}/now`, { until })
    print(options.json, body, `quiet until ${body.quiet_until ?? until}`)
  })
}

function offCommand(): Command {
  const command = new Command('off')
    .description('delete the quiet hours and end "quiet now"')
    .option('--now', 'only end "quiet now"; the quiet hours stay')
  return asClient(command, 'heliograph quiet off').action(async (options: { now?: boolean; json?: boolean }) => {
    await apiFor(command)('DELETE', options.now ? `${PATH}/now` : PATH)
    print(options.json, { deleted: true }, options.now ? 'ended "quiet now"' : 'no quiet hours any more')
  })
}

function inWords({ timezone, windows, passes, digest, quiet_until }: QuietHoursView): string {
  const state = quiet_until ? `quiet until ${quiet_until}` : 'not quiet now'
  if (windows.length === 0) return `no quiet hours; ${state}`
  const rows = windows.map(({ days, from, to }) => [days.join(','), `${from}-${to}`])
  const rules = `${timezone}; ${passes} and above pass; ${digest ? 'a digest at the end' : 'no digest'}`
  return `${columns(rows)}\n${rules}\n${state}`
}

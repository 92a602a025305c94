// heliograph widget show, activity show: one line for a status bar or a terminal, as the server writes it.
import { Command, Option } from 'commander'
import type { Glance, TextForm } from '../../contract/screens/texts.ts'
import { print } from '../output.ts'
import { apiFor, apiForText } from './api.ts'
import { asClient } from './arguments/options.ts'

// As a record, so that the compiler finds a missing form.
const FORMS: Record<TextForm, true> = {
  plain: true,
  starship: true,
  conky: true,
  polybar: true,
  tmux: true,
  i3blocks: true,
  'i3blocks-json': true,
  waybar: true,
  swiftbar: true,
  xbar: true,
  argos: true,
}

type ShowOptions = { format: string; max?: string; lang?: string; tz: string; json?: boolean }

// `path`: of all of them in the API.
export function showCommand(noun: string, path: string, example: string): Command {
  const command = new Command('show')
    .description(`print the ${noun} as one line, or in the form of a status bar`)
    .argument('<slug>')
    .addOption(new Option('--format <form>', 'who reads it').choices(Object.keys(FORMS)).default('plain'))
    .option('--max <chars>', 'largest number of characters of the line')
    .option('--lang <language>', 'such as en or de')
    .option('--tz <zone>', 'time zone of clock times', Intl.DateTimeFormat().resolvedOptions().timeZone)
  asClient(command, `heliograph ${noun} show ${example} --format waybar`)
  return command.action(async (slug: string, { format, max, lang, tz, json }: ShowOptions) => {
    const address = `${path}/${encodeURIComponent(slug)}`
    const viewer = { tz, ...(lang && { lang }) }
    if (json) {
      const { body } = await apiFor(command)<Glance>('GET', `${address}.json?${new URLSearchParams(viewer)}`)
      return print(json, body, '')
    }
    const query = new URLSearchParams({ ...viewer, form: format, ...(max && { max }) })
    const text = await apiForText(command)(`${address}.txt?${query}`)
    print(false, {}, text.trimEnd())
  })
}

// heliograph widget show, activity show: one line for a status bar or a terminal, as the server writes it.
import { Command, Option } from 'commander'
import type { TextForm } from '../../contract/screens/texts.ts'
import { apiForText } from './api.ts'
import { JSON_OPTION, withServer } from './arguments/options.ts'

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
    .addOption(new Option(...JSON_OPTION).conflicts('format'))
  withServer(command, `heliograph ${noun} show ${example} --format waybar`)
  return command.action(async (slug: string, { format, max, lang, tz, json }: ShowOptions) => {
    const query = new URLSearchParams({
      ...(!json && { form: format }),
      tz,
      ...(max && { max }),
      ...(lang && { lang }),
    })
    const text = await apiForText(command)(`${path}/${encodeURIComponent(slug)}.${json ? 'json' : 'txt'}?${query}`)
    process.stdout.write(json ? `${text}\n` : text)
  })
}

// heliograph key storm and heliograph hook storm: the storm shield of a key or a hook.
import { Command } from 'commander'
import { print } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { apiFor } from '../api.ts'
import { asClient, numberWithin } from '../arguments/options.ts'
import { EXAMPLE_ID } from '../common-commands.ts'

type Shield = { pushes_per_minute: number } | null

// `path`: of the keys or the hooks.
export function stormCommand(word: 'key' | 'hook', path: string): Command {
  const command = new Command('storm')
    .description(`limit the pushes that a ${word} may cause; what is beyond is stored, and a summary tells how many`)
    .argument('<id>', `id of the ${word}, as "heliograph ${word} list" prints it`)
    .argument('<pushes>', 'pushes a minute, from 1 to 600, or "off"', optionParser(shieldOf))
  asClient(command, `heliograph ${word} storm ${EXAMPLE_ID} 30`)
  return command.action(async (id: string, shield: { storm: Shield }, options: { json?: boolean }) => {
    const { body } = await apiFor(command)<{ storm?: Shield }>('PATCH', `${path}/${encodeURIComponent(id)}`, shield)
    const limit = body.storm ? `${body.storm.pushes_per_minute} pushes a minute` : 'off'
    print(options.json, body, `storm shield of ${id}: ${limit}`)
  })
}

// A parsed argument must not be null: commander takes null for a missing one.
const shieldOf = (text: string): { storm: Shield } =>
  text === 'off' ? { storm: null } : { storm: { pushes_per_minute: numberWithin(1, 600)(text) } }

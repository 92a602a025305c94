// Options of the commands for organizations: lists of names, and the permissions of a key.
import { InvalidArgumentError, Option } from 'commander'
import { LEVELS, type Permissions, type Resource } from '../contract/permissions.ts'

// Comma-separated; given several times, the lists are joined. Names of groups and tags have no commas.
export function listOption(flags: string, description: string): Option {
  const add = (text: string, before: string[]) => [...before, ...text.split(',').map((name) => name.trim())]
  return new Option(flags, description).argParser<string[]>(add).default([], 'none')
}

const RESOURCES = ['activities', 'notifications'] as const

export const permissionsOption = {
  option: () =>
    new Option('--permissions <levels>', 'such as notifications:schedule,activities:manage')
      .argParser(permissionsOption.parse)
      .default({ notifications: 'send' }, 'notifications:send'),

  parse(text: string): Partial<Permissions> {
    return Object.fromEntries(text.split(',').map(readLevel))
  },
}

function readLevel(text: string): [Resource, string] {
  const [name, level = ''] = text.trim().split(':')
  const resource = RESOURCES.find((one) => one === name)
  if (resource && (LEVELS[resource] as readonly string[]).includes(level)) return [resource, level]
  const choices = RESOURCES.map((one) => `${one}:${LEVELS[one].join('|')}`).join(', ')
  throw new InvalidArgumentError(`A key of an organization has ${choices}.`)
}

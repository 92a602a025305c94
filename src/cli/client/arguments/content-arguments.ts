// The content of widgets and activities on the command line: NAME=VALUE, or a JSON object.
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { namedValue } from './options.ts'

export type Content = Record<string, unknown>

// Members that are text although a value such as 42 or 112233 looks like a number.
const TEXT_MEMBERS = new Set([
  ...['accent_color', 'background_color', 'text_color', 'compact_label', 'completion_message', 'expired_text', 'icon'],
  ...['label', 'media_title', 'severity_label', 'source', 'state', 'subtitle', 'unit', 'url', 'secondary_url'],
])

// `role`: what the members are, if not those of a card.
export function withContent(command: Command, role?: string): Command {
  const form = 'NAME=VALUE; a number, true, null, list or object as in JSON'
  return command
    .argument('[content...]', role ? `${role}: ${form}` : form, collectContent)
    .option('--content <json>', 'the content as a JSON object; "-" reads it from standard input')
}

// The arguments override members of --content.
export async function contentFrom(
  command: Command,
  assigned: Content = {},
  json?: string,
): Promise<Content | undefined> {
  const whole = json === undefined ? {} : parseObject(command, json === '-' ? await text(process.stdin) : json)
  const content = { ...whole, ...assigned }
  return Object.keys(content).length > 0 ? content : undefined
}

function collectContent(argument: string, before: Content = {}): Content {
  return { ...before, ...readAssignment(argument) }
}

function readAssignment(argument: string): Content {
  try {
    const [name, value] = namedValue(argument)
    return { [name]: TEXT_MEMBERS.has(name) && value !== 'null' ? value : jsonOrText(value) }
  } catch (error) {
    throw new InvalidArgumentError(`It must be ${error instanceof Error ? error.message : error}.`)
  }
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

function parseObject(command: Command, json: string): Content {
  const value = jsonOrText(json)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  command.error('error: --content must be a JSON object')
}

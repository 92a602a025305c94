// Writes a JSON document as YAML. Strings are quoted as in JSON, which YAML takes as they are; a general YAML writer
// decides for each how to fold and quote it, and takes 400 ms for the description of the API.

export function toYaml(value: unknown): string {
  return `${block(value, '').trimStart()}\n`
}

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null

// A collection begins on a line of its own; anything else follows what it belongs to.
function block(value: unknown, indent: string): string {
  if (!isCollection(value) || Object.keys(value).length === 0) return ` ${JSON.stringify(value)}`
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return value
      .map((entry) => `\n${indent}-${isCollection(entry) ? block(entry, inner) : ` ${JSON.stringify(entry)}`}`)
      .join('')
  }
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `\n${indent}${key(name)}:${block(member, inner)}`)
    .join('')
}

// Words and paths. Everything else, such as the number of a status, would mean something other than its text.
const PLAIN_KEY = /^[a-z/$][\w/{}.+-]*$/i
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const key = (name: string) => (PLAIN_KEY.test(name) && !NOT_TEXT.test(name) ? name : JSON.stringify(name))

// Writes a JSON document as YAML. Strings are quoted as in JSON, which is valid YAML; a general YAML writer decides how
// to fold and quote each string, and blocked the event loop for 400 ms on openapi.json.

export function toYaml(value: unknown): string {
  return `${block(value, '').trimStart()}\n`
}

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null

// A collection begins on a new line; a scalar follows its key or dash.
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

// Words and paths need no quotes. An unquoted status number or `no` would not be read as a string.
const PLAIN_KEY = /^[a-z/$][\w/{}.+-]*$/i
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const key = (name: string) => (PLAIN_KEY.test(name) && !NOT_TEXT.test(name) ? name : JSON.stringify(name))

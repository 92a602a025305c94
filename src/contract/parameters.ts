// Converts the text of query strings and paths to the types of their schema. Ajv's own coercion is not used: it accepts
// "Infinity", "1e999", "0x10" and " 1" as numbers, and does not check the first two against `maximum`.

type ParameterSchema = { properties?: Record<string, { type?: unknown }> }

const DIGITS = /^\d{1,16}$/

// Text that does not convert stays text, so that validation reports its type.
export function readParameters(schema: object, parameters: unknown): void {
  const { properties = {} } = schema as ParameterSchema
  const values = parameters as Record<string, unknown>
  for (const name in properties) {
    const text = values[name]
    if (typeof text === 'string') values[name] = readAs(properties[name]?.type, text)
  }
}

function readAs(type: unknown, text: string): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type !== 'integer' || !DIGITS.test(text)) return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

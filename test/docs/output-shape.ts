// Compares the output of a command with the JSON that the documentation shows: members that are not shown may have any
// value, and so may the part of a string, or the rest of an array, that is written as "…".

const ANY = '…'

// Returns where the two differ, or undefined.
export function difference(actual: unknown, expected: unknown, path = ''): string | undefined {
  if (expected === ANY) return undefined
  if (typeof expected === 'string') return matches(actual, expected) ? undefined : mismatch(path, actual, expected)
  if (Array.isArray(expected)) return arrayDifference(actual, expected, path)
  if (typeof expected !== 'object' || expected === null) {
    return actual === expected ? undefined : mismatch(path, actual, expected)
  }
  if (typeof actual !== 'object' || actual === null) return mismatch(path, actual, expected)
  for (const [name, value] of Object.entries(expected)) {
    const found = difference((actual as Record<string, unknown>)[name], value, `${path}.${name}`)
    if (found) return found
  }
  return undefined
}

function arrayDifference(actual: unknown, expected: unknown[], path: string): string | undefined {
  const isOpen = expected.at(-1) === ANY
  const shown = isOpen ? expected.slice(0, -1) : expected
  if (!Array.isArray(actual) || actual.length < shown.length || (!isOpen && actual.length > shown.length)) {
    return mismatch(path, actual, expected)
  }
  for (const [index, value] of shown.entries()) {
    const found = difference(actual[index], value, `${path}[${index}]`)
    if (found) return found
  }
  return undefined
}

function matches(actual: unknown, expected: string): boolean {
  if (typeof actual !== 'string') return false
  const parts = expected.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual)
}

const mismatch = (path: string, actual: unknown, expected: unknown) =>
  `${path || 'the output'} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`

// The last of the JSON documents that a block printed one after the other.
export function lastJson(output: string): unknown {
  for (let start = output.length - 1; start >= 0; start--) {
    if (output[start] !== '{' && output[start] !== '[') continue
    if (!isBoundary(output, start)) continue
    try {
      return JSON.parse(output.slice(start))
    } catch {
      // An object inside the document: look further to the front.
    }
  }
  throw new Error(`no JSON in the output: ${output}`)
}

const isBoundary = (output: string, start: number) => /(?:^|[\n}\]])\s*$/.test(output.slice(0, start))

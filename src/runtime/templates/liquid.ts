// Renders Liquid templates that people have written for documents that others send. Runs in a thread of its own: the
// limits of the library are checked between its steps, and a single filter can take longer than them.
import { Liquid, type Template } from 'liquidjs'

// The text of a template per field.
export type Fields = Record<string, string>
// `body` is JSON, or text of any kind.
export type TemplateScope = { body: string; headers: Record<string, string>; query: Record<string, string> }
export type Rendered = { fields: Fields } | { error: string }

// For all fields together.
export const RENDER_MS = 100
const MOST_OUTPUT_CHARS = 64 * 1024
// Characters and list entries that filters make.
const MEMORY = 4_000_000
const PARSE_CHARS = 64 * 1024

const engine = new Liquid({
  // No template can read a file.
  templates: {},
  relativeReference: false,
  ownPropertyOnly: true,
  strictFilters: true,
  parseLimit: PARSE_CHARS,
  memoryLimit: MEMORY,
  timezoneOffset: 0,
})

export function renderFields(fields: Fields, scope: TemplateScope, now: () => number): Rendered {
  const endsAt = now() + RENDER_MS
  const variables = { body: documentOf(scope.body), headers: scope.headers, query: scope.query }
  const rendered: Fields = {}
  let chars = 0
  for (const [name, text] of Object.entries(fields)) {
    const output = attempt(() =>
      engine.renderSync(engine.parse(text), variables, { renderLimit: Math.max(endsAt - now(), 0) }),
    )
    if (typeof output !== 'string') return { error: `${name}: ${output.error}` }
    chars += output.length
    if (chars > MOST_OUTPUT_CHARS)
      return { error: `${name}: the output is longer than ${MOST_OUTPUT_CHARS} characters` }
    rendered[name] = output
  }
  return { fields: rendered }
}

// What is wrong with each template that cannot be parsed.
export function parseErrors(fields: Fields): Record<string, string> {
  const errors = Object.entries(fields).flatMap(([name, text]) => {
    const parsed = attempt((): Template[] => engine.parse(text))
    return 'error' in parsed ? [[name, parsed.error]] : []
  })
  return Object.fromEntries(errors)
}

function attempt<Result>(work: () => Result): Result | { error: string } {
  try {
    return work()
  } catch (error) {
    // The lines after the first one show the place in the template.
    const message = error instanceof Error ? error.message : String(error)
    return { error: message.split('\n', 1)[0]?.slice(0, 300) ?? '' }
  }
}

function documentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

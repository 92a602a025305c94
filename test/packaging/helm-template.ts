// Renders the templates of our Helm chart: the few constructs of Go templates that they use, and an error for any other. There is
// no Helm where the tests run.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

type Token = { text: string } | { action: string }
type Scope = { data: unknown; defined: Map<string, Token[]> }

// The manifests by the file of their template. `values` replace those of values.yaml, at the top.
export function renderChart(folder: string, values: Record<string, unknown> = {}): Record<string, string> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const chart = parse(read('Chart.yaml'))
  const data = {
    Values: { ...parse(read('values.yaml')), ...values },
    Release: { Name: 'test', Namespace: 'default' },
    Chart: { ...chart, AppVersion: chart.appVersion },
  }
  const scope: Scope = { data, defined: new Map() }
  render(tokensOf(read('templates/_helpers.tpl')), scope)
  const files = readdirSync(join(folder, 'templates')).filter((file) => file !== '_helpers.tpl')
  return Object.fromEntries(files.map((file) => [file, render(tokensOf(read(`templates/${file}`)), scope)]))
}

// "{{-" removes the blank space before it, "-}}" that behind it.
function tokensOf(template: string): Token[] {
  const parts = template
    .replace(/\s*\{\{- /g, '{{')
    .replace(/ -\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/s)
  return parts.map((part) => (part.startsWith('{{') ? { action: part.slice(2, -2).trim() } : { text: part }))
}

function render(tokens: Token[], scope: Scope): string {
  let output = ''
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if ('text' in token) {
      output += token.text
      continue
    }
    const [, keyword, argument = ''] = /^(if|define) (.*)$/.exec(token.action) ?? []
    if (!keyword) {
      if (!token.action.startsWith('/*')) output += String(evaluate(token.action, scope))
      continue
    }
    const end = endOf(tokens, at)
    const body = tokens.slice(at + 1, end)
    if (keyword === 'define') scope.defined.set(JSON.parse(argument), body)
    else if (evaluate(argument, scope)) output += render(body, scope)
    at = end
  }
  return output
}

// The index of the "end" that belongs to the "if" or "define" at this index.
function endOf(tokens: Token[], start: number): number {
  let depth = 0
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (!('action' in token)) continue
    if (/^(if|define) /.test(token.action)) depth++
    if (token.action === 'end' && --depth === 0) return at
  }
  throw new Error(`"${(tokens[start] as { action: string }).action}" has no end`)
}

function evaluate(pipeline: string, scope: Scope): unknown {
  const [first = '', ...filters] = pipeline.split('|').map((part) => part.trim())
  return filters.reduce((value, filter) => applied(filter, value, scope), term(first, scope))
}

function term(text: string, scope: Scope): unknown {
  const [, name, argument = ''] = /^(include|toYaml) (.+)$/.exec(text) ?? []
  if (name === 'toYaml') return stringify(term(argument, scope)).trimEnd()
  if (name === 'include') return render(definedAs(JSON.parse(argument.replace(/ \.$/, '')), scope), scope)
  if (!/^(\.\w+)+$/.test(text)) throw new Error(`not understood: ${text}`)
  const found = text
    .slice(1)
    .split('.')
    .reduce<unknown>((value, member) => (value as Record<string, unknown> | undefined)?.[member], scope.data)
  if (found === undefined) throw new Error(`there is no ${text}`)
  return found
}

function definedAs(name: string, { defined }: Scope): Token[] {
  const body = defined.get(name)
  if (!body) throw new Error(`"${name}" is not defined`)
  return body
}

function applied(filter: string, value: unknown, scope: Scope): unknown {
  const [name, argument = ''] = filter.split(' ')
  if (name === 'quote') return JSON.stringify(String(value))
  if (name === 'default') return value || term(argument, scope)
  if (name === 'sha256sum') return createHash('sha256').update(String(value)).digest('hex')
  if (name !== 'nindent') throw new Error(`not understood: ${filter}`)
  return `\n${String(value).replace(/^(?=.)/gm, ' '.repeat(Number(argument)))}`
}

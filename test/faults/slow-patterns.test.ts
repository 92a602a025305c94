// R40: no regular expression of the server, or pattern of its OpenAPI document, takes long on a long text. Every one of them
// is run on 100,000 characters that make a pattern backtrack: the characters that it names itself, repeated, with an end that
// does not match. A linear pattern takes a millisecond for that, a quadratic one seconds.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { counted, measured } from '../support/reliability/measured.ts'

const CHARS = 100_000
const LONGEST_MS = 200
const TYPICAL = ['a', 'A', '0', ' ', '\t', '\n', 'a ', 'a.', 'a-', 'é']
const ENDS = ['\u0000', 'a', '!']

// Patterns that are quadratic on texts that they never get.
const NEVER_LONG: Record<string, string> = {
  'src/cli/client/ping.ts': 'an address that the user of the command line gives',
  'src/domain/doors/ntfy/delay.ts': 'GO_PARTS is used only on a text that GO_DURATION matches',
  'src/runtime/setting-values.ts': 'settings of the operator',
}

type Pattern = { place: string; source: string; flags: string }

function patternsInSource(): Pattern[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    const file = ts.createSourceFile(name, readFileSync(join('src', name), 'utf8'), ts.ScriptTarget.ESNext, true)
    const found: Pattern[] = []
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        const line = file.getLineAndCharacterOfPosition(node.pos).line + 1
        found.push({ place: `src/${name}:${line}`, source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
    return found
  })
}

function patternsInApi(): Pattern[] {
  const found = new Set<string>()
  JSON.parse(readFileSync('openapi.json', 'utf8'), (name, value) => {
    if (name === 'pattern' && typeof value === 'string') found.add(value)
    return value
  })
  return [...found].map((source) => ({ place: 'openapi.json', source, flags: 'u' }))
}

// Texts that the pattern begins to match in many ways and then does not match.
function* attacks({ source }: Pattern): Generator<string> {
  const punctuation = [...new Set(source.match(/[^\w\s\\^$*+?()[\]{}|]/g) ?? [])]
  const escaped = [...new Set([...source.matchAll(/\\([^\w\s])/g)].map(([, char]) => char as string))]
  const literal = /^\^?([\w/=:@#<-]+)/.exec(source)?.[1] ?? ''
  for (const repeated of [...TYPICAL, ...punctuation, ...escaped]) {
    for (const end of ENDS) {
      const text = repeated.repeat(CHARS / repeated.length)
      yield text + end
      if (literal) yield literal + text + end
    }
  }
}

const sandbox = createContext({ pattern: /./, text: '' })

// The timeout of node:vm ends a regular expression too, which otherwise could run for years.
function takesLong({ source, flags }: Pattern, text: string): boolean {
  Object.assign(sandbox, { pattern: new RegExp(source, flags.replace(/[gy]/g, '')), text })
  try {
    runInContext('pattern.test(text)', sandbox, { timeout: LONGEST_MS })
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
    return true
  }
}

test('R40 no pattern takes long on 100,000 characters', () => {
  const patterns = [...patternsInSource(), ...patternsInApi()]
  let texts = 0
  const slow = patterns.filter((pattern) => {
    if (pattern.place.replace(/:\d+$/, '') in NEVER_LONG) return false
    for (const text of attacks(pattern)) {
      texts += 1
      if (takesLong(pattern, text)) return true
    }
    return false
  })
  expect(slow.map(({ place, source }) => `${place} ${source}`)).toEqual([])
  measured(
    'R40',
    'either',
    `${patterns.length} patterns on ${counted(texts)} texts of ${counted(CHARS)} characters: none slow`,
  )
})

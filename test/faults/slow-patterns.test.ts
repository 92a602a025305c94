// R40: no regular expression of the server, or pattern of its OpenAPI document, takes long on a long text. Every one of them
// is run on 100,000 characters that make a pattern backtrack: the characters that it names itself, repeated, with an end that
// does not match. A linear pattern takes a millisecond for that, a quadratic one seconds. The functions that read texts of
// clients get such texts as well.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { forbiddenUrlReason } from '../../src/domain/address-rules.ts'
import { colorHex } from '../../src/domain/color.ts'
import { isBareAddress } from '../../src/domain/emails/address.ts'
import { isSlug } from '../../src/domain/ids.ts'
import { fromRfc3339, parseDurationSeconds } from '../../src/domain/instant.ts'
import { cronFault } from '../../src/domain/schedules/recurrence.ts'
import { findTimeZone } from '../../src/domain/schedules/wall-clock.ts'
import { counted, measured } from '../support/reliability/measured.ts'

const CHARS = 100_000
const LONGEST_MS = 200
const TYPICAL = ['a', 'A', '0', ' ', '\t', '\n', 'a ', 'a.', 'a-', 'é']
const ENDS = ['\u0000', 'a', '!']

// Patterns that are quadratic on texts that they never get.
const NEVER_LONG: Record<string, string> = {
  'src/cli/client/ping.ts': 'an address that the user of the command line gives',
  'src/cli/client/show.ts': 'an address that the user of the command line gives',
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
// The timeout is of the wall clock, and other programs use the machine as well.
const TRIES = 5

function takesLong({ source, flags }: Pattern, text: string): boolean {
  Object.assign(sandbox, { pattern: new RegExp(source, flags.replace(/[gy]/g, '')), text })
  for (let tried = 0; tried < TRIES; tried++) if (endsInTime()) return false
  return true
}

// The timeout of node:vm ends a regular expression too, which otherwise could run for years.
function endsInTime(): boolean {
  try {
    runInContext('pattern.test(text)', sandbox, { timeout: LONGEST_MS })
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
    return false
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

const READERS: Record<string, (text: string) => unknown> = {
  'a recurrence': cronFault,
  'a time zone': findTimeZone,
  'a colour': colorHex,
  'a duration': parseDurationSeconds,
  'a point in time': fromRfc3339,
  'a web address': (text) => forbiddenUrlReason(text, []),
  'an e-mail address': isBareAddress,
  'a slug': isSlug,
}
const READ = [
  '0,',
  '*/1 ',
  '0-59/',
  '* ',
  '1h',
  'PT',
  '2026-11-16T',
  '+00:00',
  '#ff',
  'Europe/',
  'http://a.',
  '[::',
  '%41',
]
const LONGEST_CPU_MS = 50

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1000
}

test.each(Object.entries(READERS))('R40 to read %s of 100,000 characters takes little time', (_, read) => {
  const texts = [...TYPICAL, ...READ].flatMap((part) =>
    ENDS.map((end) => part.repeat(Math.ceil(CHARS / part.length)) + end),
  )
  // The compiler of the engine may work during the first calls.
  const slow = texts.filter((text) => Math.min(...[1, 2, 3].map(() => cpuMsOf(() => read(text)))) > LONGEST_CPU_MS)
  expect(slow.map((text) => text.slice(0, 20))).toEqual([])
})

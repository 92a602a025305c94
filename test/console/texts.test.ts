// Every text of the console stands in console/src/texts, and a translation lacks none of them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const SOURCES = 'console/src'
const TEXTS = join(SOURCES, 'texts')

// Attributes that are shown or read aloud.
const SPOKEN = new Set(['alt', 'aria-label', 'hint', 'intro', 'label', 'placeholder', 'text', 'title'])
// Functions that show one of their arguments, and which.
const SHOWING = new Map([
  ['Error', 0],
  ['attempt', 1],
  ['showToast', 0],
])
// Names of programs, the same in every language.
const NAMES = new Set(['curl', 'Heliograph'])

// A single letter is the name of a key; a text with a slash at its beginning is a path.
const hasWords = (text: string): boolean => /^(?!\/).*\p{L}{2}/su.test(text) && !NAMES.has(text.trim())

describe('components', () => {
  test('contain no text of their own', () => {
    const components = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
      // Errors of the service worker are not shown.
      (path) => /\.tsx?$/.test(path) && !path.startsWith('texts/') && !path.startsWith('worker/'),
    )
    expect(components.length).toBeGreaterThan(100)
    expect(components.flatMap(textsIn)).toEqual([])
  })
})

// Texts in one file, each with its place.
function textsIn(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(join(SOURCES, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const report = (node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    found.push(`${path}:${line + 1} ${node.getText().trim()}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasWords(node.text)) report(node)
    for (const part of shownParts(node)) if (literalsOf(part).some(hasWords)) report(part)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

// The expressions below a node that a person gets to see.
function shownParts(node: ts.Node): ts.Node[] {
  if (ts.isJsxAttribute(node)) return SPOKEN.has(node.name.getText()) && node.initializer ? [node.initializer] : []
  if (ts.isJsxExpression(node)) return node.expression && !ts.isJsxAttribute(node.parent) ? [node.expression] : []
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const shown = node.arguments?.[SHOWING.get(node.expression.getText()) ?? Number.NaN]
    return shown ? [shown] : []
  }
  return []
}

// The literal texts that an expression can result in.
function literalsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) {
    return node.expression ? literalsOf(node.expression) : []
  }
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsOf)
  if (ts.isBinaryExpression(node)) return operandsOf(node).flatMap(literalsOf)
  return []
}

const { AmpersandAmpersandToken, BarBarToken, PlusToken, QuestionQuestionToken } = ts.SyntaxKind

// The operands that an expression can result in.
function operandsOf({ left, right, operatorToken }: ts.BinaryExpression): ts.Node[] {
  if (operatorToken.kind === AmpersandAmpersandToken) return [right]
  return [BarBarToken, PlusToken, QuestionQuestionToken].includes(operatorToken.kind) ? [left, right] : []
}

// Names and commands of more than one word. A single word may be the same in both languages.
const SAME = [
  'Apple Watch',
  'Argo CD',
  'Claude Code',
  'Claude Desktop',
  'Dynamic Island',
  'Gitea / Forgejo',
  'GitHub Actions',
  'Grafana Alerting',
  'Home Assistant',
  'Overseerr / Jellyseerr',
  'Sonarr / Radarr',
  'Uptime Kuma',
  'VE, Backup Server, Mail Gateway',
  'VS Code',
  'build, deploy-*',
  'heliograph signin',
  '{% if body.state == "down" %}critical{% else %}passive{% endif %}',
]

// Files that others are made of, and that of the service worker.
const PARTS = ['banner', 'page-terms', 'terms']

describe('the German translation', () => {
  const names = textsOf(TEXTS).filter((name) => !PARTS.includes(name))

  test('has a file for each file of texts', () => {
    expect(textsOf(join(TEXTS, 'german')).filter((name) => !PARTS.includes(name))).toEqual(names)
  })

  test.each(names)('has every text of %s, and none of them in English', async (name) => {
    // In a template, Vite would write the list of these files into the cached module, and a new file would be unknown.
    const file = (path: string) => new URL(`../../console/src/texts/${path}.ts`, import.meta.url).href
    const { ENGLISH } = await import(/* @vite-ignore */ file(name))
    const [translation] = Object.values<object>(await import(/* @vite-ignore */ file(`german/${name}`)))
    const english = leavesOf(ENGLISH)
    const german = leavesOf(translation ?? {})
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort())
    const untranslated = [...german].filter(([place, text]) => text === english.get(place) && isSentence(text))
    expect(untranslated.filter(([, text]) => !SAME.includes(text))).toEqual([])
  })
})

// The files of texts in a folder.
function textsOf(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  return files.map((file) => file.slice(0, -'.ts'.length)).sort()
}

const isSentence = (text: string): boolean => /\p{L}{2}.* .*\p{L}{2}/u.test(text)

// The texts by their place. What a function results in depends on its arguments.
function leavesOf(texts: object): Map<string, string> {
  const leaves = new Map<string, string>()
  const visit = (value: unknown, place: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) visit(part, `${place}.${name}`)
    } else leaves.set(place, typeof value === 'string' ? value : typeof value)
  }
  visit(texts, '')
  return leaves
}

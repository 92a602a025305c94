// The members of a request's body as a template names them: those that exist, and those that a template names in vain.
import type { HookTemplate } from '../../../../src/contract/hooks.ts'

const MOST_PATHS = 40
const MOST_STEPS = 5

// Each value in the document, in its order.
export function pathsOf(document: object): string[] {
  const found: string[] = []
  const visit = (value: unknown, path: string, steps: number): void => {
    if (found.length === MOST_PATHS) return
    if (typeof value !== 'object' || value === null || steps === MOST_STEPS) return void found.push(path)
    for (const [name, member] of Object.entries(value)) {
      visit(member, path + stepTo(name, Array.isArray(value)), steps + 1)
    }
  }
  visit(document, 'body', 0)
  return found
}

function stepTo(name: string, isIndex: boolean): string {
  if (isIndex) return `[${name}]`
  return /^[a-z_][\w-]*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

const OUTPUT = /\{\{(.*?)\}\}/gs
const PATH = /\bbody((?:\.[a-z_][\w-]*|\[\d+\]|\["[^"]*"\])+)/gi
const STEP = /\.([a-z_][\w-]*)|\[(\d+)\]|\["([^"]*)"\]/gi
// What Liquid knows of every list and text.
const OF_LIQUID = ['size', 'first', 'last']

// Those that the outputs of a template name and the document does not have: they render as nothing. A default says that this is
// expected, and so does a condition.
export function missingPaths(template: HookTemplate, document: object): string[] {
  const outputs = Object.values(template).flatMap((text) => [...text.matchAll(OUTPUT)].map(([, inner = '']) => inner))
  const named = outputs
    .filter((output) => !/\|\s*default\b/.test(output))
    .flatMap((output) => [...output.matchAll(PATH)].map(([path]) => path))
  return [...new Set(named)].filter((path) => !isIn(document, path))
}

function isIn(document: object, path: string): boolean {
  let value: unknown = document
  for (const [, name, index, text] of path.matchAll(STEP)) {
    const step = name ?? index ?? text ?? ''
    if (OF_LIQUID.includes(step)) return true
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
    value = (value as Record<string, unknown>)[step]
  }
  return true
}

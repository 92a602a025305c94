// What a page of the documentation says that can be run, in order. Comments in the Markdown, which readers do not see,
// say the rest; each stands directly above the block it belongs to:
//
//   <!-- not run: REASON -->      the block cannot run here
//   <!-- expect: TEXT -->         its output contains this; "<!-- expect: nothing -->" states that there is none
//   <!-- file: NAME -->           the block is the content of a file that later blocks use
//   <!-- run: COMMAND -->         a step of its own that readers do not need, such as a device that answers
//
// A block of JSON that follows states the output too; see output-shape.ts.

export type Step =
  | { kind: 'run'; line: number; language: Language; text: string; expect: Expectation }
  | { kind: 'file'; line: number; name: string; text: string }
  | { kind: 'hidden'; line: number; text: string }
  | { kind: 'not run'; line: number; reason: string }
  | { kind: 'unmarked'; line: number }

export type Language = 'sh' | 'python' | 'js'
export type Expectation = { text?: string; json?: unknown }

type Fence = { language: string; text: string; line: number; endLine: number }

const LANGUAGES: Record<string, Language> = { sh: 'sh', bash: 'sh', python: 'python', js: 'js' }
const MARK = /^<!-- (not run|expect|file|run): (.+?) -->$/

export function stepsOf(markdown: string): Step[] {
  const lines = markdown.split('\n')
  const fences = fencesOf(lines)
  const hidden = hiddenCommands(lines, fences)
  const blocks = fences.flatMap((fence, index) => {
    const language = LANGUAGES[fence.language]
    return language ? [toStep(fence, language, marksAbove(lines, fence.line), fences[index + 1], lines)] : []
  })
  return [...hidden, ...blocks].sort((a, b) => a.line - b.line)
}

function toStep(
  fence: Fence,
  language: Language,
  marks: Map<string, string>,
  next: Fence | undefined,
  lines: string[],
) {
  const { line, text } = fence
  const reason = marks.get('not run')
  if (reason !== undefined) return { kind: 'not run', line, reason } satisfies Step
  const name = marks.get('file')
  if (name !== undefined) return { kind: 'file', line, name, text } satisfies Step
  const expect = { text: marks.get('expect'), json: expectedJson(fence, next, lines) }
  if (expect.text === undefined && expect.json === undefined) return { kind: 'unmarked', line } satisfies Step
  return { kind: 'run', line, language, text, expect } satisfies Step
}

// The next block states the output if it is JSON and under the same heading.
function expectedJson(fence: Fence, next: Fence | undefined, lines: string[]): unknown {
  if (next?.language !== 'json') return undefined
  const between = lines.slice(fence.endLine, next.line - 1)
  return between.some((line) => line.startsWith('#')) ? undefined : JSON.parse(next.text)
}

function fencesOf(lines: string[]): Fence[] {
  const fences: Fence[] = []
  let open: Fence | undefined
  for (const [index, line] of lines.entries()) {
    const opening = /^```(\w*)/.exec(line)
    if (open && line.startsWith('```')) {
      fences.push({ ...open, endLine: index + 1 })
      open = undefined
    } else if (open) open.text += `${line}\n`
    else if (opening) open = { language: opening[1] ?? '', text: '', line: index + 1, endLine: 0 }
  }
  return fences
}

function marksAbove(lines: string[], fenceLine: number): Map<string, string> {
  const marks = new Map<string, string>()
  for (let index = fenceLine - 2; index >= 0; index--) {
    const [, name, value] = MARK.exec(lines[index] ?? '') ?? []
    if (name === undefined || value === undefined) return marks
    if (name !== 'run') marks.set(name, value)
  }
  return marks
}

function hiddenCommands(lines: string[], fences: Fence[]): Step[] {
  return lines.flatMap((text, index): Step[] => {
    const [, name, command] = MARK.exec(text) ?? []
    const isInFence = fences.some(({ line, endLine }) => index + 1 > line && index + 1 < endLine)
    return name === 'run' && command && !isInFence ? [{ kind: 'hidden', line: index + 1, text: command }] : []
  })
}

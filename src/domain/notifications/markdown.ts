// The text of a Markdown message without its marks, for pushes and lists, which show plain text. Each step reads a line
// once: the time must not grow faster than the length of what a sender wrote.

export function withoutMarks(markdown: string): string {
  const lines: string[] = []
  let isCodeBlock = false
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isCodeBlock = !isCodeBlock
    else if (isCodeBlock) lines.push(line)
    else if (!RULE.test(line)) lines.push(inlineText(blockText(line)))
  }
  // A message of marks alone is better shown than left out.
  return lines.join('\n').trim() || markdown
}

const FENCE = /^ {0,3}(?:```|~~~)/
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/
const QUOTE = /^ {0,3}>[> ]*/
const HEADING = /^ {0,3}#{1,6} +/
const BULLET = /^( *)[-*+] +/

const blockText = (line: string): string => line.replace(QUOTE, '').replace(HEADING, '').replace(BULLET, '$1• ')

const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g
const BRACKETED_ADDRESS = /<(https?:\/\/[^<>\s]*)>/g
const CODE = /(?<!`)`{1,2}([^`]+)`{1,2}(?!`)/

function inlineText(line: string): string {
  const parts = line.replace(LINK, '$1').replace(BRACKETED_ADDRESS, '$1').split(CODE)
  return parts.map((part, index) => (index % 2 === 1 ? part : withoutEmphasis(part))).join('')
}

// A backslash with the character that it escapes, or a mark.
const MARK = /\\[!-/:-@[-`{-~]|\*{1,3}|_{1,3}|~~/g

// Removes each mark that has a partner of its kind; one alone is text, as in "2 * 3".
function withoutEmphasis(text: string): string {
  const paired = new Set<number>()
  const openAt = new Map<string, number>()
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    const partner = openAt.get(mark)
    if (partner !== undefined && canClose(text, mark, index)) {
      paired.add(partner).add(index)
      openAt.delete(mark)
    } else if (canOpen(text, mark, index)) openAt.set(mark, index)
  }
  return text.replace(MARK, (mark, index: number) =>
    mark.startsWith('\\') ? mark.slice(1) : paired.has(index) ? '' : mark,
  )
}

const WORD = /[\p{L}\p{N}]/u

// An underscore within a word is part of a name.
function canOpen(text: string, mark: string, index: number): boolean {
  const next = text[index + mark.length]
  return !mark.startsWith('\\') && !isSpace(next) && !(mark.startsWith('_') && WORD.test(text[index - 1] ?? ''))
}

function canClose(text: string, mark: string, index: number): boolean {
  return !isSpace(text[index - 1]) && !(mark.startsWith('_') && WORD.test(text[index + mark.length] ?? ''))
}

const isSpace = (character: string | undefined): boolean => character === undefined || character.trim() === ''

// The newest lines of a program's output, as text for a screen.
import { stripVTControlCharacters } from 'node:util'
import { LIMITS } from '../../contract/limits.ts'
import { printable } from '../output.ts'

const { maxLineChars } = LIMITS.activity
// A program that prints no line end must not fill the memory.
const MAX_PARTIAL_CHARS = 64 * 1024

export type Line = { text: string; at: number }

// Takes output in chunks, of one stream; `add` gets each complete line that has text.
export function lineReader(add: (text: string) => void): { take(chunk: Buffer): void; end(): void } {
  const decoder = new TextDecoder()
  let partial = ''
  const take = (text: string) => {
    const lines = (partial + text).split('\n')
    partial = (lines.pop() ?? '').slice(-MAX_PARTIAL_CHARS)
    for (const line of lines) addLine(line)
  }
  const addLine = (line: string) => {
    const text = shownText(line)
    if (text !== '') add(text)
  }
  return {
    take: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end: () => take(`${decoder.decode()}\n`),
  }
}

// Progress bars overwrite their line: what follows the last carriage return is what a terminal shows.
function shownText(line: string): string {
  const shown = line.trimEnd().split('\r').at(-1) ?? ''
  const text = printable(stripVTControlCharacters(shown).replaceAll('\t', '  ')).trimEnd()
  const chars = [...text]
  return chars.length > maxLineChars ? `${chars.slice(0, maxLineChars - 1).join('')}…` : text
}

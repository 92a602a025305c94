// The order in which the parts of a line are drawn (https://www.unicode.org/reports/tr9/): a run has one direction and one font.
import bidiFactory from 'bidi-js'
import type { Face } from './faces.ts'

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export type Run = { text: string; fromRight: boolean; face: Face }
type Leveled = { text: string; level: number; face: Face }

// The library of the algorithm knows characters of one unit only, so larger ones are replaced by two that have the same direction.
const FROM_RIGHT = /[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const simplified = (text: string): string =>
  text.replace(/[\u{10000}-\u{10ffff}]/gu, (char) => {
    if (FROM_RIGHT.test(char)) return '\u05d0\u05d0'
    return /\p{L}/u.test(char) ? 'aa' : '\u2600\u2600'
  })

// That of its first letter, as for an element with dir="auto".
export const isFromRight = (text: string): boolean =>
  bidi.getEmbeddingLevels(simplified(text), 'auto').paragraphs[0]?.level === 1

// From left to right.
export function runsOf(text: string, fromRight: boolean, faceFor: (grapheme: string, before?: Face) => Face): Run[] {
  const { levels } = bidi.getEmbeddingLevels(simplified(text), fromRight ? 'rtl' : 'ltr')
  const end = text.trimEnd().length
  const runs: Leveled[] = []
  for (const { segment, index } of graphemes.segment(text)) {
    const level = index < end ? (levels[index] ?? 0) : Number(fromRight)
    const last = runs.at(-1)
    const face = faceFor(segment, last?.face)
    if (last && last.level === level && last.face === face) last.text += segment
    else runs.push({ text: segment, level, face })
  }
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  let ordered = runs
  for (let level = highest; level > 0; level--) ordered = turned(ordered, level)
  return ordered.map(({ text: part, level, face }) => ({ text: part, fromRight: level % 2 === 1, face }))
}

// With each sequence of this level or a higher one turned round.
function turned(runs: Leveled[], level: number): Leveled[] {
  const result: Leveled[] = []
  let sequence: Leveled[] = []
  for (const run of runs) {
    if (run.level >= level) sequence.unshift(run)
    else {
      result.push(...sequence, run)
      sequence = []
    }
  }
  return [...result, ...sequence]
}

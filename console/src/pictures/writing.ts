// Draws the texts of a card itself, with letters that join, stand above one another or run from right to left. The library lays the
// texts out and leaves them as texts in the SVG, word by word; here each line is put in its order and its letters become a path.
import type { Child, Element } from './elements.ts'
import type { Face } from './faces.ts'
import { isFromRight, runsOf } from './order.ts'

export type Writing = { prepared(elements: Child[]): Child[]; drawn(svg: string): string }

// A character that no font has.
const BOX = '\u25a1'

// A space stays in the font of the word before it, and that of emoji is as wide as one of them. No font of emoji has this one, which
// is as wide as that of the letters.
const NARROW_SPACE = '\u2005'
const AFTER_EMOJI = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u{e007f}]|\ufe0f) /gu

const MARK = /(?!\ufe0f)\p{M}/u
const codePointOf = (char: string): number => char.codePointAt(0) ?? 0

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

export function createWriting(faces: Face[]): Writing {
  const faceWith = (char: string) => faces.find((face) => face.has(codePointOf(char)))
  // A mark that the font of its letter does not have is left out.
  const drawable = (grapheme: string): string => {
    const [first = '', ...others] = grapheme
    const face = faceWith(first)
    if (!face) return /\s/.test(first) ? first : BOX
    return first + others.filter((one) => !MARK.test(one) || face.has(codePointOf(one))).join('')
  }
  const covered = (text: string): string => graphemesOf(text).map(drawable).join('').replace(AFTER_EMOJI, NARROW_SPACE)

  return {
    prepared(elements) {
      let count = 0
      const prepare = (child: Child): Child => {
        if (typeof child === 'string') return covered(child)
        const { children = [] } = child.props
        const text = children.filter((one) => typeof one === 'string').join('')
        const props = { ...child.props, children: children.map(prepare) }
        return { ...child, props: text.trim() ? { ...props, style: styleOfText(child, text, count++) } : props }
      }
      return elements.map(prepare)
    },
    drawn: (svg) => svg.replace(LINE, (line) => drawLine(faces, line)),
  }
}

// The library hands an angle on to the SVG, and slants nothing by so little: it says which text a word belongs to, and its direction.
const ANGLE = 0.001
const angleOf = (index: number, fromRight: boolean) =>
  `oblique ${((index * 2 + Number(fromRight)) * ANGLE).toFixed(3)}deg`

function styleOfText({ props }: Element, text: string, index: number) {
  const fromRight = isFromRight(text)
  const direction = fromRight ? 'rtl' : 'ltr'
  return { ...(props.style as object), direction, fontStyle: angleOf(index, fromRight) }
}

// Words, one after another, that begin alike but for their place.
const LINE = /<text [^>]*>[^<]*<\/text>(?:<text [^>]*>[^<]*<\/text>)*/g
const WORD = /<text ([^>]*)>([^<]*)<\/text>/g
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g

type Word = { attributes: Record<string, string>; text: string }

const sameLine = ({ attributes: one }: Word, { attributes: other }: Word): boolean =>
  ['font-style', 'y', 'clip-path', 'transform'].every((name) => one[name] === other[name])

function drawLine(faces: Face[], texts: string): string {
  const lines: Word[][] = []
  for (const [, attributes = '', text = ''] of texts.matchAll(WORD)) {
    const word = { attributes: Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, a, b]) => [a, b])), text }
    const last = lines.at(-1)
    if (last?.[0] && sameLine(last[0], word)) last.push(word)
    else lines.push([word])
  }
  return lines.map((words) => pathOf(faces, words)).join('')
}

function pathOf(faces: Face[], words: Word[]): string {
  const attributes = words[0]?.attributes ?? {}
  const text = unescaped(words.map((word) => word.text).join(''))
  const fromRight =
    Math.round((Number.parseFloat(attributes['font-style']?.split(' ')[1] ?? '0') || 0) / ANGLE) % 2 === 1
  const size = Number(attributes['font-size'])
  const spacing = Number(attributes['letter-spacing'] ?? 0)
  const order = facesInOrder(faces, attributes['font-family'] ?? '', Number(attributes['font-weight']) || 400)
  const pieces = runsOf(text, fromRight, (grapheme, before) => faceFor(order, grapheme, before)).map((run) => {
    const glyphs = run.face.shape(run.text, run.fromRight ? 'rtl' : 'ltr')
    const gap = /\p{Script=Arabic}/u.test(run.text) ? 0 : spacing
    const scale = size / run.face.unitsPerEm
    const places = glyphs.map(({ ax, cl }, index) => ax * scale + (glyphs[index + 1]?.cl === cl ? 0 : gap))
    return { face: run.face, glyphs, places, scale, width: places.reduce((sum, one) => sum + one, 0) }
  })
  const width = pieces.reduce((sum, piece) => sum + piece.width, 0)
  const lefts = words.map((word) => Number(word.attributes.x))
  const rights = words.map((word, index) => (lefts[index] ?? 0) + Number(word.attributes.width))
  let x = fromRight ? Math.max(...rights) - width : Math.min(...lefts)
  const y = Number(attributes.y)
  let path = ''
  for (const { face, glyphs, places, scale } of pieces) {
    for (const [index, { g, dx, dy }] of glyphs.entries()) {
      path += outlined(face, g, x + dx * scale, y - dy * scale, scale)
      x += places[index] ?? 0
    }
  }
  if (!path) return ''
  const kept = ['fill', 'transform', 'stroke', 'stroke-width'].filter((name) => attributes[name] !== undefined)
  const drawn = `<path ${kept.map((name) => `${name}="${attributes[name]}"`).join(' ')} d="${path}"/>`
  return attributes['clip-path'] ? `<g clip-path="${attributes['clip-path']}">${drawn}</g>` : drawn
}

const rounded = (value: number) => Math.round(value * 100) / 100

function outlined(face: Face, glyph: number, x: number, y: number, scale: number): string {
  let path = ''
  for (const { letter, points } of face.outline(glyph)) {
    path += letter
    for (const [index, point] of points.entries()) {
      path += `${index > 0 ? ' ' : ''}${rounded(index % 2 === 0 ? x + point * scale : y - point * scale)}`
    }
  }
  return path
}

// Those of the family, then all others, each in the weight that CSS chooses.
function facesInOrder(faces: Face[], family: string, weight: number): Face[] {
  const names = [...new Set(faces.map(({ name }) => name))]
  const families = unescaped(family)
    .split(',')
    .map((one) => one.replace(/["']/g, '').trim().toLowerCase())
  const ofFamily = families.flatMap((one) => names.filter((name) => name.toLowerCase() === one))
  const ordered = [...new Set([...ofFamily, ...names])]
  // A bold text prefers the next bolder weight, and others the next lighter one.
  const distance = (face: Face) => {
    const more = (face.weight ?? 400) - weight
    return more * (weight > 500 ? 1 : -1) >= 0 ? Math.abs(more) : 1000 + Math.abs(more)
  }
  return ordered.map((name) =>
    faces.filter((face) => face.name === name).reduce((best, face) => (distance(face) < distance(best) ? face : best)),
  )
}

// A space stays with the word before it. What no font has is the box of the last one.
function faceFor(order: Face[], grapheme: string, before: Face | undefined): Face {
  const codePoint = codePointOf(grapheme)
  if (before?.has(codePoint) && /^\s$/.test(grapheme)) return before
  return order.find((face) => face.has(codePoint)) ?? (order.at(-1) as Face)
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

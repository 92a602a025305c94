// The last steps of a drawing: it is turned, and gets a name for people who do not see it.
import type { PictureTask } from '../../../src/domain/screens/picture.ts'

export const finished = (svg: string, { rotate, title }: Pick<PictureTask, 'rotate' | 'title'>): string =>
  turned(svg, rotate).replace(
    /^<svg ([^>]*)>/,
    (_, attributes) => `<svg role="img" ${attributes}><title>${escaped(title)}</title>`,
  )

// Clockwise.
function turned(svg: string, degrees: number): string {
  if (degrees === 0) return svg
  const [wide, high] = sizeOf(svg)
  const move = { 90: `${high} 0`, 180: `${wide} ${high}`, 270: `0 ${wide}` }[degrees]
  const [width, height] = degrees === 180 ? [wide, high] : [high, wide]
  const inside = svg.replace(/^<svg [^>]*>/, '').replace(/<\/svg>$/, '')
  return `${openSvg(width, height)}<g transform="translate(${move}) rotate(${degrees})">${inside}</g></svg>`
}

export const openSvg = (width: number, height: number): string =>
  `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">`

export function sizeOf(svg: string): [width: number, height: number] {
  const [, width, height] = /^<svg [^>]*?width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? []
  return [Number(width), Number(height)]
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, (char) => ENTITIES[char] as string)

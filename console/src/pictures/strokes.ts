// Lines of a drawing that is stretched keep their width (`vector-effect: non-scaling-stroke`), which neither library knows: the
// coordinates are stretched here, and not the drawing.
const STRETCHED = /(<image [^>]*?width="([\d.]+)" height="([\d.]+)" href=")(data:image\/svg\+xml[^,]*,)([^"]*)"/g

export const withSameStrokes = (svg: string): string =>
  svg.replace(STRETCHED, (image, begin: string, width: string, height: string, type: string, encoded: string) => {
    const drawing = decodeURIComponent(encoded)
    const [, right, bottom] = /preserveAspectRatio="none"[^>]* viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(drawing) ?? []
    if (!right || !bottom) return image
    const stretched = stretch(drawing, Number(width) / Number(right), Number(height) / Number(bottom))
    const sized = stretched.replace(/viewBox="[^"]*"/, `viewBox="0 0 ${width} ${height}"`)
    return `${begin}${type}${encodeURIComponent(sized)}"`
  })

function stretch(drawing: string, x: number, y: number): string {
  const pathOf = (path: string) => {
    let count = 0
    return path.replace(/[\d.]+/g, (number) => rounded(Number(number) * (count++ % 2 === 0 ? x : y)))
  }
  return drawing
    .replace(/ d="([^"]*)"/g, (_, path: string) => ` d="${pathOf(path)}"`)
    .replace(/ (x|y)([12])="([\d.]+)"/g, (_, axis: string, end: string, number: string) => {
      return ` ${axis}${end}="${rounded(Number(number) * (axis === 'x' ? x : y))}"`
    })
}

const rounded = (value: number): string => String(Math.round(value * 100) / 100)

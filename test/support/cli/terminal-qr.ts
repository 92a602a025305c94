// Reads a QR code of half blocks, as a camera reads it from the screen.
import { decodeQR } from 'qr/decode.js'

// Pixels per module.
const SCALE = 4

export function readTerminalQr(lines: string[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the code.
  const rows = lines.map((line) => [...line.replace(/\u001b\[[\d;]*m/g, '')])
  const light = rows.flatMap((row) => [row.map((char) => '▀█'.includes(char)), row.map((char) => '▄█'.includes(char))])
  const [width, height] = [(light[0]?.length ?? 0) * SCALE, light.length * SCALE]
  const data = new Uint8ClampedArray(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [Math.floor((pixel % width) / SCALE), Math.floor(pixel / width / SCALE)]
    data.set(light[y]?.[x] ? [255, 255, 255, 255] : [0, 0, 0, 255], pixel * 4)
  }
  return decodeQR({ width, height, data })
}

// A QR code for a terminal. Its colours are set, because a scanner may not read a code that a theme inverts.
import { encodeQR } from 'qr'

// Narrower than the standard asks for, so that the code of a long link fits 80 columns; scanners of phones read it.
const QUIET_ZONE = 2
const WHITE_ON_BLACK = '\u001b[97;40m'
const RESET = '\u001b[0m'

// A character shows two modules, one above the other; its foreground is light.
export function qrForTerminal(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: QUIET_ZONE })
  const lines: string[] = []
  for (let y = 0; y < modules.length; y += 2) {
    const [upper = [], lower] = [modules[y], modules[y + 1]]
    const characters = upper.map((isDark, x) => halfBlock(!isDark, lower !== undefined && !lower[x]))
    lines.push(`${WHITE_ON_BLACK}${characters.join('')}${RESET}`)
  }
  return lines.join('\n')
}

function halfBlock(isUpperLight: boolean, isLowerLight: boolean): string {
  if (isUpperLight) return isLowerLight ? '█' : '▀'
  return isLowerLight ? '▄' : ' '
}

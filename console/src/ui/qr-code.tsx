// A QR code as SVG. It is dark on light in both themes, because not every scanner reads inverted codes.
import { encodeQR } from 'qr'

// Width of the light border that scanners need, in modules (ISO/IEC 18004).
const QUIET_ZONE = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = modules.length
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="qr-dark" d={darkPath(modules)} />
    </svg>
  )
}

// One rectangle per run of dark modules in a row: neighbours drawn one by one would leave hairlines between them.
function darkPath(modules: boolean[][]): string {
  let path = ''
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x++) {
      const start = x
      while (row[x]) x++
      if (x > start) path += `M${start} ${y}h${x - start}v1h-${x - start}z`
    }
  }
  return path
}

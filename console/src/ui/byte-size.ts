// Sizes of files and bodies as text.
import { language } from '../language.ts'

const KILOBYTE = 1024

export function byteSize(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`
  const [size, unit] = bytes < KILOBYTE ** 2 ? [bytes / KILOBYTE, 'KB'] : [bytes / KILOBYTE ** 2, 'MB']
  const digits = size < 10 ? 1 : 0
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${size.toLocaleString(language, format)} ${unit}`
}

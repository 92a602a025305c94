// Scans JSON text without parsing it, to bound its depth and size first.

const BACKSLASH = 92

// Where the string that begins at `start` ends. Jumps from quote to quote, because most of a document is text.
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

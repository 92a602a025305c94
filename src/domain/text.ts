// Text of requests: made to fit our fields, and scanned before it is parsed.

// U+0000 and halves of surrogate pairs cannot be stored.
export const storableText = (text: string): string =>
  text.includes('\u0000') || !text.isWellFormed() ? text.replaceAll('\u0000', '').toWellFormed() : text

// Cut between characters, with an ellipsis.
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  // A character has at most two code units; the rest of a long text is not looked at.
  const characters = [...text.slice(0, 2 * maxChars + 2)]
  return characters.length <= maxChars ? text : `${characters.slice(0, maxChars - 1).join('')}…`
}

const BACKSLASH = 92

// Where the string of JSON text that begins at `start` ends: the depth and size of a document are bounded before it is parsed.
// Jumps from quote to quote, because most of a document is text.
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

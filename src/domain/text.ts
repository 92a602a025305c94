// Text of other services, made to fit our fields.

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

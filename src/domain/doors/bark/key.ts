// Keys in the form of Bark: of senders (aliases), of phones, and the codes by which phones register. 128 random bits, without
// characters that are mistaken for one another.
const CHARS = 22
const MISTAKABLE = /[01IOl]/g

export const BARK_KEY = /^[2-9A-HJ-NP-Za-km-z]{22}$/

// `random` returns so many random letters and digits.
export function makeBarkKey(random: (length: number) => string): string {
  for (;;) {
    const text = random(2 * CHARS).replace(MISTAKABLE, '')
    if (text.length >= CHARS) return text.slice(0, CHARS)
  }
}

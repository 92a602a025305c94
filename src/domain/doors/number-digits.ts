// Numbers of notifications in base 62 with leading zeros, for services whose ids have a fixed length.
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function toDigits(number: number, length: number): string {
  let digits = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) digits = DIGITS[rest % 62] + digits
  return digits.padStart(length, '0')
}

// Returns undefined if it is no positive number that we could have written.
export function fromDigits(digits: string): number | undefined {
  let number = 0
  for (const digit of digits) number = number * 62 + DIGITS.indexOf(digit)
  return number > 0 && Number.isSafeInteger(number) ? number : undefined
}

// The server's validation messages in the words of the form.
import { BUILDER_TEXTS } from '../texts/builder.ts'

export function violationInWords(message: string): string {
  for (const [pattern, words] of BUILDER_TEXTS.violations) {
    const [match, ...parts] = pattern.exec(message) ?? []
    if (match !== undefined) return words(...parts)
  }
  return message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (member) => BUILDER_TEXTS.members[member] ?? member)
}

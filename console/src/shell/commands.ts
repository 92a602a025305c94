// What the command palette offers: pages and actions, found by words in any order, and a search of the inbox.
import type { IconName } from '../ui/icon.tsx'

// `isAsking`: the palette asks before it is carried out.
// `words`: other words by which people look for it.
export type Command = {
  id: string
  name: string
  words?: string
  // What a record is.
  kind?: string
  icon: IconName
  isAsking?: true
  run: () => unknown
}

// Each word of the query begins a word of the name. Names that begin with the query come first.
export function findCommands(commands: readonly Command[], query: string): Command[] {
  const wanted = wordsOf(query)
  const found = commands.filter(({ name, words: others = '' }) => {
    const words = wordsOf(`${name} ${others}`)
    return wanted.every((one) => words.some((word) => word.startsWith(one)))
  })
  const rank = ({ name }: Command) => (name.toLocaleLowerCase().startsWith(query.trim().toLocaleLowerCase()) ? 0 : 1)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

const wordsOf = (text: string): string[] =>
  text
    .toLocaleLowerCase()
    .split(/[\s,–-]+/)
    .filter(Boolean)

// The entry that the arrow keys lead to; they go round.
export function movedBy(step: 1 | -1, current: number, count: number): number {
  return count === 0 ? 0 : (current + step + count) % count
}

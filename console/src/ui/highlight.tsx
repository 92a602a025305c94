// A text in which the words that were searched for are marked.

export function Highlight({ text, words }: { text: string; words: string | undefined }) {
  return (
    <>{partsOf(text, words).map(({ part, isMatch }, index) => (isMatch ? <mark key={index}>{part}</mark> : part))}</>
  )
}

// The server searches for the whole text, without regard to case. A text whose lower case has another length, as a few
// letters have, is not marked, since places in the two would differ.
export function partsOf(text: string, words: string | undefined): { part: string; isMatch: boolean }[] {
  const [folded, wanted] = [text.toLowerCase(), words?.toLowerCase()]
  const parts: { part: string; isMatch: boolean }[] = []
  let end = 0
  if (wanted && folded.length === text.length) {
    for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, end)) {
      if (at > end) parts.push({ part: text.slice(end, at), isMatch: false })
      end = at + wanted.length
      parts.push({ part: text.slice(at, end), isMatch: true })
    }
  }
  if (end < text.length || parts.length === 0) parts.push({ part: text.slice(end), isMatch: false })
  return parts
}

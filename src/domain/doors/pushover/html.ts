// Messages with html=1, as plain text: Pushover knows b, i, u, font and a.

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

// Four times what a notification shows, and sixteen times what Pushover takes. A megabyte of tags would block the event loop
// for a second.
const MOST_CHARS = 16 * 1024

// A link keeps its address behind its text. The name of a tag ends where its letters end: without the lookahead, one long name
// would take quadratic time.
export function textOfHtml(message: string): string {
  const html = message.slice(0, MOST_CHARS)
  let link: { url: string; textFrom: number } | undefined
  const text = html.replace(
    /<(\/?)([a-z]+)(?![a-z])([^<>]*)>/gi,
    (tag, slash: string, name: string, rest: string, at: number) => {
      const kind = name.toLowerCase()
      if (kind === 'br') return '\n'
      if (kind !== 'a') return ''
      const opened = link
      const url = slash === '' ? /\bhref\s*=\s*["']?([^"'\s]+)/i.exec(rest)?.[1] : undefined
      link = url === undefined ? undefined : { url, textFrom: at + tag.length }
      return slash !== '' && opened && html.slice(opened.textFrom, at) !== opened.url ? ` (${opened.url})` : ''
    },
  )
  return decodeEntities(text)
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}

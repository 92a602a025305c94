// Text with the marks of other services, made plain.
import { emojiNamed } from '../doors/ntfy/emoji.ts'

// More than a notification shows. Replacing marks in a text of 1 MB would take a quarter of a second.
const MOST_CHARS = 16 * 1024
export const MOST_TITLE_CHARS = 2048

// Grafana's own texts: emphasis, headings and links.
export const plainMarkdown = (text: string): string =>
  text
    .slice(0, MOST_CHARS)
    .replace(/\*\*([^*\n]{1,500})\*\*/g, '$1')
    .replace(/^#{1,6} +/gm, '')
    .replace(/\[([^[\]\n]{1,500})\]\((https?:[^()\s]{1,2000})\)/g, '$1 ($2)')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

// Slack's own marks, and its escapes last, so that they cannot make new ones.
export const plainSlackText = (text: string, maxChars = MOST_CHARS): string =>
  text
    .slice(0, maxChars)
    .replace(/<([^<>\n]{1,3000})>/g, (_, inside: string) => plainReference(inside))
    .replace(/(?<![\w*])\*(?=\S)([^*\n]{1,500})(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_\n]{1,500})(?<=\S)_(?![\w_])/g, '$1')
    .replace(/:([a-z0-9_+-]{1,40}):/g, (mark: string, name: string) => emojiNamed(name) ?? mark)
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: keyof typeof ESCAPES) => ESCAPES[name])
    .trim()

// The last two are not Slack's, but TrueNAS sends them.
const ESCAPES = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

// <url|label>, <!date^…|fallback>, <!channel>, <@U123|name>, <#C123|channel>
function plainReference(inside: string): string {
  const bar = inside.indexOf('|')
  const [target, label] = bar === -1 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)]
  if (target.startsWith('!date^')) return label || target
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^', 1)[0]}`
  if (target.startsWith('@') || target.startsWith('#')) return label ? `${target[0]}${label}` : target
  if (!label) return target.replace(/^mailto:/, '')
  return label === target ? label : `${label} (${target})`
}

// <t:1763187150:F>: a time in the reader's zone, which a push does not know.
export const plainDiscordText = (text: string, maxChars = MOST_CHARS): string =>
  text
    .slice(0, maxChars)
    .replace(/<t:(\d{1,11})(?::[a-zA-Z])?>/g, (_, seconds: string) => utcTime(Number(seconds)))
    .trim()

const utcTime = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

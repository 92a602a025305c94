// Discord's webhooks, which many programs post to.
import { levelOfColor } from '../levels.ts'
import { MOST_TITLE_CHARS, plainDiscordText } from '../marked-text.ts'
import { lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import { type HookDocument, type HookReport, titled } from '../message.ts'

// The sender does not want a sound.
const SUPPRESS_NOTIFICATIONS = 4096
const MOST_EMBEDS = 10
const MOST_FIELDS = 25

export function fromDiscord({ json, query }: HookDocument): HookReport {
  const { content, embeds, username, flags, thread_id } = membersOf(json)
  const shown = listOf(embeds).slice(0, MOST_EMBEDS).map(membersOf)
  const [first = {}] = shown
  const text = textOf(content)
  const color = typeof first.color === 'number' ? first.color : undefined
  const isQuiet = (Number(flags) & SUPPRESS_NOTIFICATIONS) !== 0
  const thread = textOf(thread_id) || query.thread_id
  const title = textOf(first.title) || textOf(membersOf(first.author).name) || textOf(username)
  const body = lines(text, ...shown.map(embedText))
  if (body === '' && textOf(first.title) === '') return undefined
  return {
    // The marks of all parts are replaced at once, within one limit.
    ...titled(plainDiscordText(title, MOST_TITLE_CHARS), plainDiscordText(body)),
    level: isQuiet ? 'passive' : (levelOfColor(color) ?? 'active'),
    severity: color === undefined ? undefined : `#${color.toString(16).padStart(6, '0')}`,
    url: textOf(first.url),
    image: textOf(membersOf(first.image).url),
    thread: thread ? `discord:${thread}` : undefined,
    format: 'markdown',
  }
}

function embedText({ title, author, description, fields, footer }: Members, index: number): string {
  const named = listOf(fields).slice(0, MOST_FIELDS).map(membersOf)
  return lines(
    // The title of the first one is that of the notification.
    index > 0 && textOf(title),
    (index > 0 || textOf(title) !== '') && textOf(membersOf(author).name),
    textOf(description),
    ...named.map(({ name, value }) => `${textOf(name)}: ${textOf(value)}`),
    textOf(membersOf(footer).text),
  )
}

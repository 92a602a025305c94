// Slack's incoming webhooks, which many programs post to: text, attachments and blocks.
import { Problem } from '../../../../contract/problems.ts'
import { levelOfColor } from '../levels.ts'
import { MOST_TITLE_CHARS, plainSlackText } from '../marked-text.ts'
import { firstLine, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookMessage } from '../message.ts'

const MOST_PARTS = 50

// Refuses with the words that Slack answers.
export function fromSlack({ json, text: body }: HookDocument): HookMessage {
  if (typeof json !== 'object' || json === null) throw refusal(body.trim() ? 'invalid_payload' : 'no_text')
  const message = membersOf(json)
  const attachments = listOf(message.attachments).slice(0, MOST_PARTS).map(membersOf)
  const blocks = [...listOf(message.blocks), ...attachments.flatMap(({ blocks }) => listOf(blocks))]
    .slice(0, MOST_PARTS)
    .map(membersOf)
  const text = textOf(message.text)
  const parts = [...attachments.map(attachmentText), ...blocks.map(blockText)].filter(Boolean)
  const title = titleOf(attachments, blocks)
  if (text === '' && parts.length === 0 && title === '') throw refusal('no_text')
  const color = attachments.map((one) => textOf(one.color)).find(Boolean)
  return {
    title: plainSlackText(title || firstLine(lines(text, ...parts)) || textOf(message.username), MOST_TITLE_CHARS),
    // Text beside blocks or attachments is their short form, for banners. Marks are replaced at once, within one limit.
    body: plainSlackText(lines(...parts) || text),
    level: levelOfColor(color) ?? 'active',
    severity: color,
    url: urlOf(attachments, blocks, text),
    image: attachments.map((one) => textOf(one.image_url)).find(Boolean),
    thread: textOf(message.channel) || undefined,
  }
}

const refusal = (word: 'invalid_payload' | 'no_text') => new Problem('request.body_invalid', word)

function titleOf(attachments: Members[], blocks: Members[]): string {
  const header = blocks.find(({ type }) => type === 'header')
  if (header) return textIn(header.text)
  return attachments.map(({ title, pretext }) => textOf(title) || textOf(pretext)).find(Boolean) ?? ''
}

function attachmentText({ title, pretext, text, fields, fallback }: Members): string {
  const named = listOf(fields).slice(0, MOST_PARTS).map(membersOf)
  const said = lines(
    textOf(title) !== '' && textOf(pretext),
    textOf(text),
    ...named.map((field) => `${textOf(field.title)}: ${textOf(field.value)}`),
  )
  return said || (textOf(title) || textOf(pretext) ? '' : textOf(fallback))
}

function blockText({ type, text, fields, elements }: Members): string {
  if (type === 'section') return lines(textIn(text), ...listOf(fields).slice(0, MOST_PARTS).map(fieldText))
  if (type !== 'context') return ''
  return lines(...listOf(elements).slice(0, MOST_PARTS).map(textIn))
}

// "*Name*\nvalue"
const fieldText = (field: unknown): string => textIn(field).replace('\n', ': ')

// A text is an object with its kind, or the text itself.
const textIn = (value: unknown): string => textOf(membersOf(value).text) || textOf(value)

function urlOf(attachments: Members[], blocks: Members[], text: string): string | undefined {
  const links = attachments.map((one) => textOf(one.title_link))
  const buttons = [
    ...attachments.flatMap((one) => listOf(one.actions)),
    ...blocks.flatMap(({ elements }) => listOf(elements)),
  ]
  const urls = [...links, ...buttons.map((button) => textOf(membersOf(button).url))]
  return urls.find(Boolean) ?? /<(https?:[^<>|\s]{1,2000})[|>]/.exec(text.slice(0, 4096))?.[1]
}

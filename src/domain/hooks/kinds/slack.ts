// Slack's incoming webhooks, which many programs post to: text, attachments and blocks.
import { Problem } from '../../../contract/problems.ts'
import { levelOfColor } from '../levels.ts'
import { MOST_TITLE_CHARS, plainSlackText } from '../marked-text.ts'
import { lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import { type HookDocument, type HookReport, titled } from '../message.ts'

const MOST_PARTS = 50

export function fromSlack({ json }: HookDocument): HookReport {
  const message = membersOf(json)
  const attachments = listOf(message.attachments).slice(0, MOST_PARTS).map(membersOf)
  const blocks = [...listOf(message.blocks), ...attachments.flatMap(({ blocks }) => listOf(blocks))]
    .slice(0, MOST_PARTS)
    .map(membersOf)
  const parts = (title: string) => [...attachments.map((one) => attachmentText(one, title)), ...blocks.map(blockText)]
  const text = shownText(message, lines(...parts('')))
  const header = textIn(blocks.find(({ type }) => type === 'header')?.text)
  const title = header || (text === '' ? titleOf(attachments) : '')
  const body = lines(text, ...parts(title))
  if (title === '' && body === '') return undefined
  const color = attachments.map((one) => textOf(one.color)).find(Boolean)
  return {
    // The marks of all parts are replaced at once, within one limit.
    ...titled(plainSlackText(title, MOST_TITLE_CHARS), plainSlackText(body), textOf(message.username)),
    level: levelOfColor(color) ?? 'active',
    severity: color,
    url: urlOf(attachments, blocks, text),
    image: attachments.map((one) => textOf(one.image_url)).find(Boolean),
    thread: textOf(message.channel) || undefined,
  }
}

// With the words that Slack answers.
export const slackRefusal = ({ json, text }: HookDocument): Problem => {
  const isMessage = (typeof json === 'object' && json !== null) || text.trim() === ''
  return new Problem('request.body_invalid', isMessage ? 'no_text' : 'invalid_payload')
}

const ATTACHMENT_MEMBERS = ['text', 'title', 'pretext', 'fallback', 'fields', 'blocks', 'color']

// Whether these are members of Slack; other services have lists of attachments, too.
export const isSlackMessage = ({ text, title, attachments, blocks }: Members): boolean =>
  (textOf(text) !== '' && title === undefined) ||
  listOf(blocks).some((block) => textOf(membersOf(block).type) !== '') ||
  listOf(attachments).some((one) => ATTACHMENT_MEMBERS.some((name) => Object.hasOwn(membersOf(one), name)))

// A longer text is not searched for, which could take long.
const MOST_REPEATED_CHARS = 500

// Beside blocks the text is their short form, for banners; beside attachments it is the message itself.
function shownText({ text: sent, blocks }: Members, shown: string): string {
  const text = textOf(sent)
  const isRepeated = text.length <= MOST_REPEATED_CHARS && shown.includes(text)
  return shown !== '' && (listOf(blocks).length > 0 || isRepeated) ? '' : text
}

const titleOf = (attachments: Members[]): string =>
  attachments.map(({ title, pretext }) => textOf(title) || textOf(pretext)).find(Boolean) ?? ''

// Without what is the title of the notification.
function attachmentText({ pretext, author_name, title, text, fields, footer, fallback }: Members, without: string) {
  const named = listOf(fields).slice(0, MOST_PARTS).map(membersOf)
  const said = lines(
    ...[pretext, author_name, title, text].map(textOf).filter((one) => one !== without),
    ...named.map((field) => `${textOf(field.title)}: ${textOf(field.value)}`),
    textOf(footer),
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

// What a request to publish asks of ntfy, read from its parameters and its body by ntfy's rules.
import { type Buffer, isUtf8 } from 'node:buffer'
import type { Instant } from '../../instant.ts'
import { storableText } from '../../text.ts'
import { type NtfyAction, parseActions } from './actions.ts'
import { parseDelay } from './delay.ts'
import { isYes, type NtfyParameters, readPriority, readTags } from './parameters.ts'
import { NtfyRefusal } from './refusal.ts'

export type NtfyAttachment = { name: string; type?: string; size?: number; expires?: number; url: string }

// The message as ntfy answers it and its apps get it: empty members are left out.
export type NtfyMessage = {
  title?: string
  message: string
  priority?: number
  tags?: string[]
  click?: string
  icon?: string
  actions?: NtfyAction[]
  attachment?: NtfyAttachment
  content_type?: 'text/markdown'
  encoding?: 'base64'
}

export type NtfyPublication = {
  topic: string
  sequence?: string
  message: NtfyMessage
  sendAt?: Instant
  // The header `Cache: no` makes it false: the message is deleted after a minute.
  isKept: boolean
  // An address, or yes for the sender's own one.
  email?: string
  // The body is a file, which becomes the attachment.
  upload?: { name?: string }
  // The name of a template, and the document that it makes the message of.
  template?: { name: string; document: Buffer }
}

// `body`: at least its first BODY_START_BYTES, or all of it.
export type PublishRequest = { topic: string; sequence?: string; parameters: NtfyParameters; body: Buffer }
// The server's time zone, and a source of ids.
export type PublishSettings = { zone: string; newActionId: () => string }

const NAME = /^[-_A-Za-z0-9]{1,64}$/
export const RESERVED_TOPICS = [
  'docs',
  'static',
  'file',
  'app',
  'metrics',
  'account',
  'settings',
  'signup',
  'login',
  'v1',
]

// Whether it can be the name of a topic or of a sequence.
export const isNtfyName = (text: string): boolean => NAME.test(text)

function requireTopic(topic: string): void {
  if (RESERVED_TOPICS.includes(topic)) throw new NtfyRefusal(40010)
}

export const DEFAULT_MESSAGE = 'triggered'
const MESSAGE_BYTES = 4096
const TEMPLATE_BYTES = 131_072
// Enough to see that a body is too long for a message or for a template.
export const BODY_START_BYTES = TEMPLATE_BYTES + 1

export function readPublication(request: PublishRequest, settings: PublishSettings, now: Instant): NtfyPublication {
  const { topic, parameters } = request
  const { email, call, delay, cache } = parameters
  requireTopic(topic)
  if (call) throw new NtfyRefusal(40032)
  if (delay && cache && !isYes(cache)) throw new NtfyRefusal(40002)
  if (delay && email) throw new NtfyRefusal(40003)
  return {
    topic,
    sequence: readSequence(request),
    sendAt: delay ? parseDelay(delay, settings.zone, now) : undefined,
    isKept: !cache || isYes(cache),
    email,
    ...readContent(request, readMembers(parameters, settings)),
  }
}

function readSequence({ sequence, parameters }: PublishRequest): string | undefined {
  const given = sequence ?? parameters.sequence
  if (given !== undefined && !isNtfyName(given)) throw new NtfyRefusal(40049)
  return given
}

function readMembers(parameters: NtfyParameters, { newActionId }: PublishSettings): Omit<NtfyMessage, 'message'> {
  const { title, priority, tags, click, icon, actions, attach, filename, markdown, contentType } = parameters
  if (icon && !isHttpAddress(icon)) throw new NtfyRefusal(40021)
  if (attach && !isHttpAddress(attach)) throw new NtfyRefusal(40013)
  const isMarkdown = isYes(markdown) || /^text\/markdown\b/i.test(contentType ?? '')
  const parsed = actions ? parseActions(actions, newActionId) : []
  return {
    title,
    priority: readPriority(priority),
    tags: readTags(tags),
    click,
    icon,
    actions: parsed.length > 0 ? parsed : undefined,
    attachment: attach ? { name: filename ?? nameInUrl(attach), url: attach } : undefined,
    content_type: isMarkdown ? 'text/markdown' : undefined,
  }
}

type Content = Pick<NtfyPublication, 'message' | 'upload' | 'template'>

// The first rule that applies decides what the body is.
function readContent({ parameters, body }: PublishRequest, members: Omit<NtfyMessage, 'message'>): Content {
  const { attach, filename, template, contentEncoding, unifiedPush } = parameters
  // Senders write line breaks in headers as \n.
  const caption = parameters.message?.replaceAll('\\n', '\n')
  const withText = (text: string | undefined): Content => ({
    message: { ...members, message: text || DEFAULT_MESSAGE },
  })
  if (isYes(unifiedPush) || contentEncoding === 'aes128gcm') return { message: { ...members, ...unchanged(body) } }
  if (attach) return withText(textOf(body) || caption)
  if (filename) return upload(members, caption, filename)
  if (template && template.toLowerCase() !== 'no') {
    if (body.length > TEMPLATE_BYTES) throw new NtfyRefusal(41303)
    return { ...withText(caption), template: { name: template, document: body } }
  }
  if (body.length <= MESSAGE_BYTES && isUtf8(body)) return withText(textOf(body) || caption)
  return upload(members, caption)
}

function textOf(body: Buffer): string {
  const text = body.length <= MESSAGE_BYTES ? decode(body) : decodeStart(body.subarray(0, MESSAGE_BYTES))
  if (text === undefined) throw new NtfyRefusal(40011)
  return storableText(text).trim()
}

const decode = (text: Buffer): string | undefined => (isUtf8(text) ? text.toString() : undefined)

// Streaming leaves out a character that the limit cuts in two.
function decodeStart(start: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
  } catch {
    return undefined
  }
}

// For apps that use ntfy as their distributor of pushes (UnifiedPush): the message is data of the app.
function unchanged(body: Buffer): Pick<NtfyMessage, 'message' | 'encoding'> {
  const data = body.subarray(0, MESSAGE_BYTES)
  const text = isUtf8(data) ? data.toString() : undefined
  return text !== undefined && !text.includes('\u0000')
    ? { message: text }
    : { message: data.toString('base64'), encoding: 'base64' }
}

const upload = (members: Omit<NtfyMessage, 'message'>, caption: string | undefined, name?: string): Content => ({
  message: { ...members, message: caption ?? '' },
  upload: { name },
})

const isHttpAddress = (text: string) => /^https?:\/\//.test(text)

function nameInUrl(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  return path.slice(path.lastIndexOf('/') + 1) || 'attachment'
}

// What apps of ntfy get: our notifications as messages, and withdrawals as events of ntfy.
import { Buffer, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationAction } from '../../../contract/notifications/notification.ts'
import type { AppActivity, AppData, AppMessage, AppNews, AppWithdrawal, MessageName } from '../../apps/news.ts'
import type { UserId } from '../../caller.ts'
import type { Attachment } from '../../files.ts'
import { DAY_SECONDS, type Instant, toUnixSeconds } from '../../instant.ts'
import { isRecordable } from '../../notifications/acknowledge.ts'
import type { DoorRecord, NotificationDraft } from '../../notifications/notification.ts'
import { cutText } from '../../text.ts'
import { linkOf } from '../urls.ts'
import type { NtfyAction } from './actions.ts'
import { collapseIdOf } from './mapping.ts'
import { messageIdOf, type Place, placedIdOf } from './message-id.ts'
import type { NtfyAttachment, NtfyMessage } from './publication.ts'
import { ACTIVITIES_TOPIC, isInboxTopic, type MessageFilters, passesFilters, topicsWith } from './subscription.ts'

// One line, or one frame, of a stream.
export type NtfyEvent = {
  id: string
  sequence_id?: string
  time: number
  expires?: number
  event: 'open' | 'keepalive' | 'message' | 'message_clear' | 'message_delete'
  topic: string
} & Partial<NtfyMessage>

// `answerUrl`: where an app answers the notification; undefined if it takes no answer.
export type Recipient = {
  userId: UserId
  topics: string[]
  filters: MessageFilters
  deviceId: string
  // The names of its endpoints of UnifiedPush.
  endpoints: ReadonlyMap<string, string>
  // Whether the inbox has live activities, too.
  showsActivities: boolean
  approvalUrl(activityId: string, round: number, isShared: boolean): string
  activityUrl(activityId: string): string
  answerUrl(message: AppMessage): string | undefined
}

// Leaves out what is not for the topics and filters. Every event has its place among those of the news, whether or not the
// recipient gets it, so that the ids of all recipients agree.
export function ntfyEventsOf(recipient: Recipient, news: AppNews[]): { place: Place; event: NtfyEvent }[] {
  let index = 0
  return news.flatMap((one) => {
    const place = { event: one.event, index: index++ }
    if (one.kind === 'data') return dataEventOf(recipient, one, place)
    if (one.kind === 'activity') return activityEventOf(recipient, one, place)
    const topics = topicsWith(one.name.source, recipient.topics)
    const event = topics.length === 0 ? undefined : toEvent(recipient, one, topics, place)
    return event ? [{ place, event }] : []
  })
}

// The bytes as they came: as text if they are UTF-8.
function dataEventOf(
  { userId, endpoints }: Recipient,
  { endpointId, at, body, priority, expiresAt }: AppData,
  place: Place,
): { place: Place; event: NtfyEvent }[] {
  const topic = endpoints.get(endpointId)
  if (topic === undefined) return []
  const bytes = Buffer.from(body, 'base64')
  const content = isUtf8(bytes) ? { message: bytes.toString() } : { message: body, encoding: 'base64' as const }
  const times = { time: toUnixSeconds(at), expires: toUnixSeconds(expiresAt) }
  return [{ place, event: { id: placedIdOf(userId, place), ...times, event: 'message', topic, priority, ...content } }]
}

// An activity is one message, which the app updates in place.
function activityEventOf(
  recipient: Recipient,
  { activityId, at, sequence, shown }: AppActivity,
  place: Place,
): { place: Place; event: NtfyEvent }[] {
  const { userId, topics, showsActivities, approvalUrl, activityUrl } = recipient
  const isWanted = (topic: string) => topic === ACTIVITIES_TOPIC || (isInboxTopic(topic) && showsActivities)
  const topic = topics.find((one) => one === ACTIVITIES_TOPIC) ?? topics.find(isWanted)
  if (topic === undefined) return []
  const head = { id: placedIdOf(userId, place), sequence_id: sequence, time: toUnixSeconds(at), topic }
  if (!shown) return [{ place, event: { ...head, event: 'message_delete' } }]
  const { title, message, priority, url, round, shared = false, options = [] } = shown
  const answerUrl = round === undefined ? undefined : approvalUrl(activityId, round, shared)
  const actions =
    answerUrl === undefined ? [] : options.slice(0, MOST_ACTIONS).map((one) => optionAction(one, answerUrl))
  const click = answerUrl ?? linkOf(url) ?? activityUrl(activityId)
  const content = { title, message, priority, click, ...(actions.length > 0 && { actions }) }
  return [{ place, event: { ...head, expires: head.time + DAY_SECONDS, event: 'message', ...content } }]
}

const optionAction = ({ id, title: label }: { id: string; title: string }, url: string): NtfyAction => ({
  id: buttonIdOf(id),
  label,
  clear: true,
  action: 'http',
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ option: id }),
})

// A message is sent once, under the topic of its source if the app has that, because apps ignore an id that they know.
function toEvent(
  recipient: Recipient,
  news: AppMessage | AppWithdrawal,
  [topic = '']: string[],
  place: Place,
): NtfyEvent | undefined {
  const { userId, filters } = recipient
  const id = placedIdOf(userId, place)
  if (filters.id !== undefined && filters.id !== id && filters.id !== messageIdOf(news.name.notificationId))
    return undefined
  const head = { id, sequence_id: sequenceOf(news.name, topic), time: toUnixSeconds(news.at), topic }
  if (news.kind !== 'message') return { ...head, event: news.kind === 'clear' ? 'message_clear' : 'message_delete' }
  const message = messageFor(recipient, news, topic)
  if (!passesFilters(filters, message)) return undefined
  return { ...head, expires: head.time + DAY_SECONDS, event: 'message', ...message }
}

// A repeat has a sequence of its own: an update of a message that is on the screen makes no sound. Sequences of ntfy's senders
// are names within a topic, so they are qualified under any other one, such as the inbox.
function sequenceOf({ notificationId, source = '', sequence, repeat }: MessageName, topic: string): string {
  if (repeat > 0) return `${messageIdOf(notificationId)}-${repeat}`
  if (sequence === undefined) return messageIdOf(notificationId)
  return topic === source ? sequence : collapseIdOf(source, sequence)
}

// The app shows it in the list and does nothing else.
const SILENT_PRIORITY = 1

// Without a title, apps show the topic, which does not say where a message of the inbox is from.
function messageFor(recipient: Recipient, news: AppMessage, topic: string): NtfyMessage {
  const { record, notification, isSilent } = news
  const message =
    record?.door === 'ntfy'
      ? { ...(record.message as NtfyMessage), ...(isInboxTopic(topic) && titleOf(record)) }
      : toNtfy(notification, { url: recipient.answerUrl(news), deviceId: recipient.deviceId })
  return isSilent ? { ...message, priority: SILENT_PRIORITY } : message
}

const titleOf = ({ channel, message }: DoorRecord) => ({ title: (message as NtfyMessage).title ?? channel })

type AnswerAddress = { url: string | undefined; deviceId: string }

const PRIORITIES: Record<NotificationDraft['level'], number> = {
  passive: 2,
  active: 3,
  'time-sensitive': 4,
  critical: 5,
}

export function toNtfy(draft: NotificationDraft, answer: AnswerAddress): NtfyMessage {
  const { title, subtitle, body, level, url, iconUrl, media, attachments, actions = [], format } = draft
  const [first, ...others] = attachments ?? []
  const buttons = [...actions, ...others.map(openAttachment)]
  return {
    title,
    message: subtitle ? `${subtitle}\n${body}` : body,
    priority: draft.sound === 'none' && level !== 'critical' ? PRIORITIES.passive : PRIORITIES[level],
    click: linkOf(url),
    icon: linkOf(iconUrl),
    attachment: first ? fileOf(first) : media?.type === 'image' ? attachmentOf(media.url) : undefined,
    actions: buttons.length > 0 ? firstActions(buttons).flatMap((action) => toAction(action, answer)) : undefined,
    content_type: format === 'markdown' ? 'text/markdown' : undefined,
  }
}

function attachmentOf(url: string): NtfyAttachment {
  const name = /\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))?.[1]
  return { name: name ?? 'attachment', url }
}

const fileOf = ({ name, type, bytes, expiresAt, url }: Attachment): NtfyAttachment => ({
  name,
  type,
  size: bytes,
  expires: expiresAt && toUnixSeconds(expiresAt),
  url,
})

// An app shows one attachment.
const openAttachment = ({ name, url }: Attachment, index: number): NotificationAction => ({
  id: `attachment-${index}`,
  title: cutText(name, LIMITS.action.maxTitleChars),
  url,
  foreground: true,
})

const MOST_ACTIONS = 3

// Apps show three buttons. Those that are recorded come first, or an alert could not be acknowledged.
function firstActions(actions: NotificationAction[]): NotificationAction[] {
  if (actions.length <= MOST_ACTIONS) return actions
  const others = actions.filter((action) => !isRecordable(action))
  return [...actions.filter(isRecordable), ...others].slice(0, MOST_ACTIONS)
}

function toAction(action: NotificationAction, { url: answerUrl, deviceId }: AnswerAddress): NtfyAction[] {
  const { id: actionId, title: label, url, foreground, method = 'GET', headers, body, text_input } = action
  const head = { id: buttonIdOf(actionId), label, clear: true }
  if (url !== undefined) {
    return foreground ? [{ ...head, action: 'view', url }] : [{ ...head, action: 'http', url, method, headers, body }]
  }
  if (answerUrl === undefined) return []
  // A page of this server takes texts, and answers for which an app would have to open.
  if (text_input || foreground) return [{ ...head, action: 'view', url: answerUrl }]
  return [
    {
      ...head,
      action: 'http',
      url: answerUrl,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ action_id: actionId, device_id: deviceId }),
    },
  ]
}

const buttonIdOf = (actionId: string): string => createHash('sha256').update(actionId).digest('hex').slice(0, 10)

// A message that is still to be sent.
export const scheduledEvent = (id: string, topic: string, sendAt: Instant, message: NtfyMessage): NtfyEvent => ({
  id,
  time: toUnixSeconds(sendAt),
  event: 'message',
  topic,
  ...message,
})

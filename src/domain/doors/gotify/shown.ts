// A notification as Gotify's apps show it. What came through the door for Gotify is given back as it was sent. Gotify has
// no buttons, so a notification with buttons links to the answer page.
import type { NotificationAction } from '../../../contract/notifications/notification.ts'
import type { Instant } from '../../instant.ts'
import { besideMedia } from '../../notifications/attachments.ts'
import type { DoorRecord, Notification, NotificationDraft } from '../../notifications/notification.ts'
import { type GotifyApplication, type GotifyMessage, titleOf } from './message.ts'

// `answerUrl`: the page with its buttons, if it has any. `isAlert`: it repeats until someone acknowledges it.
// `isSilent`: the sender or the person wants no sound.
export type ToShow = {
  notification: Notification
  record: DoorRecord | undefined
  application: GotifyApplication
  answerUrl: string | undefined
  isAlert: boolean
  isSilent: boolean
}

// No member may be missing: the Android app would crash.
export type ShownMessage = {
  application: GotifyApplication
  title: string
  message: string
  priority: number
  extras: Record<string, unknown> | undefined
  date: Instant
}

export function shownInGotify({ notification, record, application, ...how }: ToShow): ShownMessage {
  const sent = record?.door === 'gotify' ? (record.message as GotifyMessage) : undefined
  const message = sent ?? messageOf(notification, how.answerUrl)
  return {
    application,
    title: titleOf(message, application),
    message: message.message,
    priority: audible(sent?.priority ?? (soundless(notification) ? SILENT : PRIORITIES[notification.level]), how),
    extras: message.extras,
    date: notification.createdAt,
  }
}

const PRIORITIES: Record<NotificationDraft['level'], number> = {
  passive: 2,
  active: 5,
  'time-sensitive': 8,
  critical: 10,
}

// On Android, 8 and more sound and vibrate, and less than 4 is silent.
const LOUD = 8
const SILENT = 1

const soundless = ({ sound, level }: NotificationDraft) => sound === 'none' && level !== 'critical'

function audible(priority: number, { isAlert, isSilent }: Pick<ToShow, 'isAlert' | 'isSilent'>): number {
  if (isSilent) return Math.min(priority, SILENT)
  return isAlert ? Math.max(priority, LOUD) : priority
}

function messageOf(notification: Notification, answerUrl: string | undefined): GotifyMessage {
  const { title, body, subtitle, url, media, attachments, format, actions = [] } = notification
  const files = besideMedia(attachments, media).map((file) => link(file.name, file.url))
  const lines = [...linkLines(actions, answerUrl, url), ...files]
  const isMarkdown = format === 'markdown' || lines.length > 0
  const text = subtitle === undefined ? body : `${subtitle}\n${body}`
  const click = answerUrl ?? url
  const shown = {
    ...(click !== undefined && { click: { url: click } }),
    ...(media?.type === 'image' && { bigImageUrl: media.url }),
  }
  return {
    title,
    message: [isMarkdown && format === undefined ? asMarkdown(text) : text, ...lines].join('\n\n'),
    extras: {
      'client::display': { contentType: isMarkdown ? 'text/markdown' : 'text/plain' },
      ...(Object.keys(shown).length > 0 && { 'client::notification': shown }),
    },
  }
}

// A tap opens the answer page, so the link of the notification becomes a line of its own.
function linkLines(actions: NotificationAction[], answerUrl: string | undefined, url: string | undefined): string[] {
  const answers = actions.filter((action) => action.url === undefined).map(({ title }) => title)
  const views = actions.flatMap((action) => (action.url && action.foreground ? [link(action.title, action.url)] : []))
  return [
    ...(answerUrl === undefined ? [] : [link(answers.join(' · '), answerUrl)]),
    ...(answerUrl === undefined || url === undefined ? [] : [link(url, url)]),
    ...views,
  ]
}

const link = (title: string, url: string) =>
  `[${asMarkdown(title)}](${url.replace(/[\s()<>\\]/g, (character) => encodeURIComponent(character).replace('(', '%28').replace(')', '%29'))})`

// Plain text in Markdown: marks are escaped, and lines stay lines. Indentation ends with its line: \s* would be quadratic on
// empty lines.
export const asMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>~|&]/g, '\\$&')
    .replace(/^([^\S\n]*)([#+-]|\d+[.)])(?=\s|$)/gm, (_all, space, mark) => `${space}${mark.replace(/.$/, '\\$&')}`)
    .replace(/(?<=[^\n])\n(?!\n|$)/g, '  \n')

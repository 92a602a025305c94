// Makes a notification fit into a push: cuts the body first, then drops members in a fixed order. `shortened` tells the
// device which members to read from the inbox.
import type { NotificationAction } from '../../contract/notifications/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { NotificationDraft } from '../../domain/notifications/notification.ts'
import type { PushContent } from '../../domain/push.ts'

export type FittedContent = PushContent & { shortened?: string[] }

// Builds the payload of one channel from the members that are left.
export type NotificationLayout = (content: FittedContent) => object

export function fitIntoPush(content: PushContent, layout: NotificationLayout, limitBytes: number): string {
  const whole = JSON.stringify(layout(content))
  if (Buffer.byteLength(whole) <= limitBytes) return whole
  // A truncated envelope cannot be decrypted. `encryptedFits` has checked this before the notification was stored.
  if (content.encrypted !== undefined) {
    throw new Problem('notification.encrypted_too_large', `The push would be larger than ${limitBytes} bytes.`)
  }
  return JSON.stringify(layout(shorten(content, layout, limitBytes)))
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

type MemberReduction = {
  member: string
  applies: (content: PushContent) => boolean
  reduce: (content: PushContent) => PushContent
}

// In the order in which members are dropped. The device completes an action without body or headers from the inbox before
// it runs it. An action without its url would look like one that the server records, so it is dropped as a whole.
const REDUCTIONS: MemberReduction[] = [
  without('attachments', 'attachments'),
  without('metadata', 'metadata'),
  withoutInActions('body'),
  withoutInActions('headers'),
  without('icon_url', 'iconUrl'),
  without('media', 'media'),
  withoutInActions('icon', 'text_input_placeholder', 'text_input_button_title'),
  {
    member: 'actions',
    applies: ({ actions = [] }) => actions.some(({ url }) => url !== undefined),
    reduce: (content) => ({ ...content, actions: content.actions?.filter(({ url }) => url === undefined) }),
  },
  without('url', 'url'),
  without('activity_slug', 'activitySlug'),
  without('source', 'source'),
  without('source_display_name', 'sourceDisplayName'),
  without('thread_id', 'threadId'),
  without('subtitle', 'subtitle'),
  without('actions', 'actions'),
]

function without(member: string, name: keyof NotificationDraft): MemberReduction {
  return {
    member,
    applies: (content) => content[name] !== undefined,
    reduce: (content) => ({ ...content, [name]: undefined }),
  }
}

function withoutInActions(...names: (keyof NotificationAction)[]): MemberReduction {
  const absent = Object.fromEntries(names.map((name) => [name, undefined]))
  return {
    member: 'actions',
    applies: ({ actions = [] }) => actions.some((action) => names.some((name) => action[name] !== undefined)),
    reduce: (content) => ({ ...content, actions: content.actions?.map((action) => ({ ...action, ...absent })) }),
  }
}

const ELLIPSIS = '…'
// About what a lock screen shows. Members are dropped before the body is cut below this length.
const OPENING_CHARS = 100

// Drops members in order until the rest fits beside the opening of the body, then restores members that fit after all: a
// huge member does not cost the small ones before it. The body gets the room that is left.
function shorten(content: PushContent, layout: NotificationLayout, limitBytes: number): FittedContent {
  const fits = (candidate: FittedContent) => jsonBytes(layout(candidate)) <= limitBytes
  const fitsWithout = (dropped: MemberReduction[]) => fits(reduced(content, openingOf(content.body), dropped))

  const possible = REDUCTIONS.filter(({ applies }) => applies(content))
  const enough = possible.findIndex((_, count) => fitsWithout(possible.slice(0, count)))
  let dropped = enough === -1 ? possible : possible.slice(0, enough)
  for (const reduction of dropped.toReversed()) {
    const fewer = dropped.filter((other) => other !== reduction)
    if (fitsWithout(fewer)) dropped = fewer
  }

  const withWholeBody = reduced(content, content.body, dropped)
  if (fits(withWholeBody)) return withWholeBody
  const roomBytes = limitBytes - jsonBytes(layout(reduced(content, ELLIPSIS, dropped)))
  return reduced(content, longestPrefix(content.body, roomBytes) + ELLIPSIS, dropped)
}

function reduced(content: PushContent, body: string, dropped: MemberReduction[]): FittedContent {
  const members = new Set(dropped.map(({ member }) => member))
  const rest = dropped.reduce((content, { reduce }) => reduce(content), content)
  return { ...rest, body, shortened: body === content.body ? [...members] : ['body', ...members] }
}

function openingOf(body: string): string {
  // A character has one or two UTF-16 units, so the first 100 characters are within the first 200 units.
  const opening = [...body.slice(0, 2 * OPENING_CHARS)].slice(0, OPENING_CHARS).join('')
  return opening === body ? body : opening + ELLIPSIS
}

// The longest prefix in whole characters that takes at most `roomBytes` inside a JSON string.
export function longestPrefix(text: string, roomBytes: number): string {
  let fits = 0
  let tooLong = text.length + 1
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (jsonBytes(prefix(text, middle)) - QUOTES_BYTES <= roomBytes) fits = middle
    else tooLong = middle
  }
  return prefix(text, fits)
}

const QUOTES_BYTES = 2

// Does not cut a character of two UTF-16 units.
export function prefix(text: string, units: number): string {
  const cutsPair = units > 0 && (text.codePointAt(units - 1) ?? 0) > 0xffff
  return text.slice(0, cutsPair ? units - 1 : units)
}

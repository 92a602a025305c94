// Makes a notification fit into a push: the body is cut first, then members are given up in a fixed order. What a
// device is not sent it finds in the inbox; `shortened` tells it which members to look for there.

import type { NotificationAction } from '../../contract/notification.ts'
import { Problem } from '../../contract/problems.ts'
import type { Notification, NotificationDraft } from '../../domain/notifications/notification.ts'

export type PushContent = NotificationDraft & Pick<Notification, 'id' | 'createdAt'>
export type FittedContent = PushContent & { shortened?: string[] }

// The message of one channel, made of what the content still has.
export type Layout = (content: FittedContent) => object

export function fitIntoPush(content: PushContent, layout: Layout, limitBytes: number): string {
  const whole = JSON.stringify(layout(content))
  if (Buffer.byteLength(whole) <= limitBytes) return whole
  // Half an envelope cannot be decrypted, and its sender is told so before anything is stored.
  if (content.encrypted !== undefined) {
    throw new Problem('notification.encrypted_too_large', `The push would be larger than ${limitBytes} bytes.`)
  }
  return JSON.stringify(layout(shorten(content, layout, limitBytes)))
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

type Reduction = {
  member: string
  applies: (content: PushContent) => boolean
  reduce: (content: PushContent) => PushContent
}

// In the order in which they are given up. An action that has lost its body or headers must be completed from the
// inbox before it is run; one that lost its url would pass for one that the server records, so it goes altogether.
const REDUCTIONS: Reduction[] = [
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

function without(member: string, name: keyof NotificationDraft): Reduction {
  return {
    member,
    applies: (content) => content[name] !== undefined,
    reduce: (content) => ({ ...content, [name]: undefined }),
  }
}

function withoutInActions(...names: (keyof NotificationAction)[]): Reduction {
  const absent = Object.fromEntries(names.map((name) => [name, undefined]))
  return {
    member: 'actions',
    applies: ({ actions = [] }) => actions.some((action) => names.some((name) => action[name] !== undefined)),
    reduce: (content) => ({ ...content, actions: content.actions?.map((action) => ({ ...action, ...absent })) }),
  }
}

const ELLIPSIS = '…'
// About what a lock screen shows. A body is not cut below this for the sake of anything that could be given up.
const OPENING_CHARS = 100

// Gives up in order until the rest fits beside the opening of the body, and then puts back what was given up in vain:
// a huge member does not take small ones down with it. The body gets all the room that is left.
function shorten(content: PushContent, layout: Layout, limitBytes: number): FittedContent {
  const fits = (candidate: FittedContent) => jsonBytes(layout(candidate)) <= limitBytes
  const fitsWithout = (givenUp: Reduction[]) => fits(reduced(content, openingOf(content.body), givenUp))

  const possible = REDUCTIONS.filter(({ applies }) => applies(content))
  const enough = possible.findIndex((_, count) => fitsWithout(possible.slice(0, count)))
  let givenUp = enough === -1 ? possible : possible.slice(0, enough)
  for (const reduction of givenUp.toReversed()) {
    const fewer = givenUp.filter((other) => other !== reduction)
    if (fitsWithout(fewer)) givenUp = fewer
  }

  const withWholeBody = reduced(content, content.body, givenUp)
  if (fits(withWholeBody)) return withWholeBody
  const roomBytes = limitBytes - jsonBytes(layout(reduced(content, ELLIPSIS, givenUp)))
  return reduced(content, longestPrefix(content.body, roomBytes) + ELLIPSIS, givenUp)
}

function reduced(content: PushContent, body: string, givenUp: Reduction[]): FittedContent {
  const members = new Set(givenUp.map(({ member }) => member))
  const rest = givenUp.reduce((content, { reduce }) => reduce(content), content)
  return { ...rest, body, shortened: body === content.body ? [...members] : ['body', ...members] }
}

function openingOf(body: string): string {
  // A character takes one unit or two, so its first hundred are among the first two hundred.
  const opening = [...body.slice(0, 2 * OPENING_CHARS)].slice(0, OPENING_CHARS).join('')
  return opening === body ? body : opening + ELLIPSIS
}

// The longest beginning, in whole characters, that takes at most so many bytes inside a JSON string.
function longestPrefix(text: string, roomBytes: number): string {
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

function prefix(text: string, units: number): string {
  const cutsPair = units > 0 && (text.codePointAt(units - 1) ?? 0) > 0xffff
  return text.slice(0, cutsPair ? units - 1 : units)
}

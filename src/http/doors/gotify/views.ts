// Answers in the form of Gotify.
import type { User } from '../../../domain/accounts/account.ts'
import type { GotifyClient } from '../../../domain/doors/gotify/client.ts'
import { DEFAULT_PRIORITY } from '../../../domain/doors/gotify/message.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import type { ListedApplication } from '../../../operations/doors/gotify/applications.ts'
import type { MessagePage, NumberedMessage } from '../../../operations/doors/gotify/messages.ts'

export const messageView = ({ number, application, title, message, priority, extras, date }: NumberedMessage) => ({
  id: number,
  appid: application.number,
  message,
  title,
  priority,
  extras,
  date: toRfc3339(date),
})

// The last page has no `next`: the Android app would load an empty one for ever.
export function pageView({ messages, next }: MessagePage, path: string, limit: number) {
  return {
    paging: {
      ...(next !== undefined && { next: `${path}?limit=${limit}&since=${next}` }),
      size: messages.length,
      since: next ?? 0,
      limit,
    },
    messages: messages.map(messageView),
  }
}

// Without the token, as Gotify 3 answers.
export const applicationView = ({ number, name, createdAt, lastUsedAt }: ListedApplication, index: number) => ({
  id: number,
  name,
  description: '',
  internal: false,
  image: IMAGE_PATH,
  defaultPriority: DEFAULT_PRIORITY,
  createdAt: toRfc3339(createdAt),
  lastUsed: lastUsedAt === null ? null : toRfc3339(lastUsedAt),
  sortKey: `a${String(index).padStart(4, '0')}`,
})

export const IMAGE_PATH = 'static/defaultapp.png'

// `token`: when it was just made, and for the client that asks, which has it: with it, the app finds itself when it logs out.
export const clientView = ({ number, name, createdAt }: GotifyClient, token: string | undefined) => ({
  id: number,
  ...(token !== undefined && { token }),
  name,
  createdAt: toRfc3339(createdAt),
  lastUsed: null,
})

// The app of a device knows one user.
export const userView = ({ name, createdAt }: Pick<User, 'name' | 'createdAt'>) => ({
  id: 1,
  name,
  admin: false,
  createdAt: toRfc3339(createdAt),
})

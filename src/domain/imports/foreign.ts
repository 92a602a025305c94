// What a server of ntfy or Gotify holds, as an import reads it from its database.
import type { GotifyApplication } from '../doors/gotify/message.ts'
import type { Instant } from '../instant.ts'
import type { IncomingNotification } from '../notifications/notification.ts'

export type ForeignUser = { id: string; name: string }

// A token that sends. `token` is undefined if the database does not have it in clear.
export type ForeignSender = {
  id: string
  userId: string
  name: string
  token: string | undefined
  expiresAt: Instant | null
}

// A token with which an app receives. `usedAt`: unknown to old versions.
export type ForeignClient = { userId: string; name: string; token: string; usedAt: Instant | undefined }

// `id` is unique over all servers of its kind, `userId` null if the sender is unknown. `to`: the notification, given the application
// that its key is.
export type ForeignMessage = {
  id: string
  userId: string | null
  senderId: string | null
  at: Instant
  to(application: GotifyApplication): IncomingNotification
}

// Something that is not brought. Equal ones are counted.
export type Loss = { what: string; why: string; count: number }

export type ForeignServer = {
  door: 'ntfy' | 'gotify'
  users: ForeignUser[]
  senders: ForeignSender[]
  clients: ForeignClient[]
  // Oldest first.
  messages(): Iterable<ForeignMessage>
  losses: Loss[]
  close(): void
}

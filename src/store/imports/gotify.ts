// The database of Gotify 2 and 3, a SQLite file or in PostgreSQL: users, applications (which send), clients (which receive) and messages.
import { createHash } from 'node:crypto'
import { fromGotify } from '../../domain/doors/gotify/message.ts'
import { StartError } from '../../domain/errors.ts'
import type { ForeignClient, ForeignMessage, ForeignSender, ForeignServer, Loss } from '../../domain/imports/foreign.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { hasFormOfAlias } from '../../domain/keys.ts'
import { type ForeignFile, type ForeignRow, numberIn, textIn } from './file.ts'
import { nameOfForeign, openForeign } from './postgres.ts'

// `place`: the path of a file, or the address of a database of PostgreSQL.
export async function openGotify(place: string): Promise<ForeignServer> {
  const file = await openForeign(place, COLUMNS)
  const isGotify = file.has('applications', 'token') && file.has('clients', 'token') && file.has('messages', 'extras')
  if (!isGotify) throw new StartError(`${nameOfForeign(place)} is not the database of Gotify`)
  const users = [...file.rows('users', COLUMNS.users, 'id')]
  const applications = [...file.rows('applications', COLUMNS.applications, 'id')]
  return {
    door: 'gotify',
    users: users.map((row) => ({ id: textIn(row, 'id'), name: textIn(row, 'name') })),
    senders: applications.map(senderIn),
    clients: readClients(file),
    messages: () => readMessages(file, applications),
    losses: lostOf(users, applications),
    close: () => file.close(),
  }
}

const COLUMNS = {
  users: ['id', 'name'],
  applications: ['id', 'token', 'user_id', 'name', 'image', 'default_priority', 'internal'],
  clients: ['id', 'token', 'user_id', 'name', 'last_used', 'created_at'],
  messages: ['id', 'application_id', 'message', 'title', 'priority', 'extras', 'date'],
}

// Ids are small numbers, which other servers have as well; tokens are unique.
const senderIn = (row: ForeignRow): ForeignSender => {
  const token = textIn(row, 'token')
  return {
    id: token,
    userId: textIn(row, 'user_id'),
    name: textIn(row, 'name') || 'Gotify',
    token: hasFormOfAlias('gotify', token) ? token : undefined,
    expiresAt: null,
  }
}

function readClients(file: ForeignFile): ForeignClient[] {
  const rows = [...file.rows('clients', COLUMNS.clients, 'id')]
  return rows.map((row) => ({
    userId: textIn(row, 'user_id'),
    name: textIn(row, 'name') || 'Gotify',
    token: textIn(row, 'token'),
    usedAt: instantIn(row, 'last_used') ?? instantIn(row, 'created_at'),
  }))
}

function* readMessages(file: ForeignFile, applications: ForeignRow[]): Generator<ForeignMessage> {
  const byId = new Map(applications.map((row) => [textIn(row, 'id'), senderIn(row)]))
  for (const row of file.rows('messages', COLUMNS.messages, 'id')) {
    const sender = byId.get(textIn(row, 'application_id'))
    const at = instantIn(row, 'date')
    if (!sender || !at) continue
    const id = `${createHash('sha256').update(sender.id).digest('base64url')}:${textIn(row, 'id')}`
    const message = {
      // An application without a key has no name here.
      title: textIn(row, 'title') || (sender.token ? undefined : sender.name),
      message: textIn(row, 'message'),
      priority: numberIn(row, 'priority'),
      extras: extrasIn(textIn(row, 'extras')),
    }
    yield { id, userId: sender.userId, senderId: sender.id, at, to: (application) => fromGotify(message, application) }
  }
}

function extrasIn(json: string): Record<string, unknown> | undefined {
  try {
    const extras: unknown = JSON.parse(json || 'null')
    return typeof extras === 'object' && extras !== null ? { ...extras } : undefined
  } catch {
    return undefined
  }
}

// Such as 2026-11-18 09:30:00.123456789+01:00. JavaScript reads no more than milliseconds.
function instantIn(row: ForeignRow, column: string): Instant | undefined {
  const text = textIn(row, column)
    .replace(' ', 'T')
    .replace(/(\.\d{3})\d+/, '$1')
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : instant(at)
}

function lostOf(users: ForeignRow[], applications: ForeignRow[]): Loss[] {
  const count = (column: string) => applications.filter((row) => !['', '0'].includes(textIn(row, column))).length
  return [
    { what: 'passwords', why: 'only their hashes are stored; people sign in by a link', count: users.length },
    { what: 'pictures of applications', why: 'keys have none', count: count('image') },
    {
      what: 'default priorities of applications',
      why: 'a message without a priority has the priority 5 here',
      count: count('default_priority'),
    },
  ].filter((loss) => loss.count > 0)
}

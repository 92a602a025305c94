// The databases of ntfy 2: that of its users (accounts, access tokens, rights per topic), and its cache of messages. Each is a
// file, and an import may have one of them or both; since 2.18 both may be in one database of PostgreSQL.
import type { NtfyAction } from '../../domain/doors/ntfy/actions.ts'
import { fromNtfy } from '../../domain/doors/ntfy/mapping.ts'
import { isNtfyName, type NtfyAttachment, type NtfyMessage } from '../../domain/doors/ntfy/publication.ts'
import { StartError } from '../../domain/errors.ts'
import type { ForeignMessage, ForeignSender, ForeignServer, ForeignUser, Loss } from '../../domain/imports/foreign.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { storableText } from '../../domain/text.ts'
import { type ForeignFile, type ForeignRow, numberIn, textIn } from './file.ts'
import { nameOfForeign, openForeign } from './postgres.ts'

// `places`: paths of files, or the address of a database of PostgreSQL, which has the tables of both.
export async function openNtfy(places: string[], now: Instant): Promise<ForeignServer> {
  const files: ForeignFile[] = []
  for (const place of places) files.push(await openForeign(place, COLUMNS))
  const stranger = files.findIndex((file) => !hasUsers(file) && !messageTableOf(file))
  if (stranger >= 0) {
    throw new StartError(
      `${nameOfForeign(String(places[stranger]))} is neither the user database nor the cache of ntfy 2`,
    )
  }
  const userFile = files.find(hasUsers)
  const cache = files.find(messageTableOf)
  const users = userFile ? readUsers(userFile) : []
  return {
    door: 'ntfy',
    users,
    senders: userFile ? readTokens(userFile, users, now) : [],
    clients: [],
    messages: () => (cache ? readMessages(cache) : []),
    losses: [...lostOfUsers(users, userFile), ...(cache ? lostOfCache(cache) : [])],
    close: () => files.forEach((file) => void file.close()),
  }
}

const MESSAGE_COLUMNS = [
  ...[
    'id',
    'mid',
    'sequence_id',
    'time',
    'event',
    'topic',
    'message',
    'title',
    'priority',
    'tags',
    'click',
    'icon',
    'actions',
  ],
  ...['attachment_name', 'attachment_type', 'attachment_size', 'attachment_expires', 'attachment_url'],
  ...['user', 'user_id', 'content_type', 'encoding', 'published'],
]

// In PostgreSQL some names differ: `message` for `messages`, `user_name` and `user_id` for `user`.
const COLUMNS = {
  user: ['id', 'user', 'user_name', 'role', 'created', 'deleted'],
  user_token: ['user_id', 'token', 'label', 'expires'],
  user_access: ['user_id', 'write'],
  messages: MESSAGE_COLUMNS,
  message: MESSAGE_COLUMNS,
}

const hasUsers = (file: ForeignFile) => file.has('user_token', 'token')
const messageTableOf = (file: ForeignFile) => (['messages', 'message'] as const).find((table) => file.has(table, 'mid'))

// The user of requests without credentials has a row too.
type User = ForeignUser & { mayWrite: boolean }

function readUsers(file: ForeignFile): User[] {
  const writers = new Set([...file.rows('user_access', COLUMNS.user_access, 'user_id')].flatMap(writerIn))
  const rows = [...file.rows('user', COLUMNS.user, 'created, id')]
  const everyone = rows.find((row) => textIn(row, 'role') === 'anonymous')
  const mayEverybody = everyone !== undefined && writers.has(textIn(everyone, 'id'))
  return rows
    .filter((row) => row !== everyone && !numberIn(row, 'deleted'))
    .map((row) => {
      const id = textIn(row, 'id')
      const mayWrite = textIn(row, 'role') === 'admin' || mayEverybody || writers.has(id)
      return { id, name: textIn(row, 'user') || textIn(row, 'user_name'), mayWrite }
    })
}

const writerIn = (row: ForeignRow): string[] => (numberIn(row, 'write') === 1 ? [textIn(row, 'user_id')] : [])

// A token that has expired, or whose user may write nowhere, sends nothing today and is left out.
function readTokens(file: ForeignFile, users: User[], now: Instant): ForeignSender[] {
  const rows = [...file.rows('user_token', COLUMNS.user_token, 'user_id, token')]
  return rows.flatMap((row) => {
    const user = users.find(({ id }) => id === textIn(row, 'user_id'))
    const expires = numberIn(row, 'expires')
    if (!user?.mayWrite || (expires > 0 && expires * 1000 <= now)) return []
    const [token, label] = [textIn(row, 'token'), textIn(row, 'label')]
    const name = label || `ntfy ${token.slice(0, 7)}…`
    return [{ id: token, userId: user.id, name, token, expiresAt: expires > 0 ? instant(expires * 1000) : null }]
  })
}

function* readMessages(cache: ForeignFile): Generator<ForeignMessage> {
  for (const row of rowsOf(cache)) {
    if (!isBroughtMessage(row)) continue
    const [id, topic] = [textIn(row, 'mid'), textIn(row, 'topic')]
    const userId = textIn(row, 'user') || textIn(row, 'user_id')
    const sequence = textIn(row, 'sequence_id')
    const address = { topic, sequence: sequence !== '' && sequence !== id ? sequence : undefined }
    const at = instant(numberIn(row, 'time') * 1000)
    yield { id, userId: userId || null, senderId: null, at, to: () => fromNtfy(address, messageIn(row)) }
  }
}

const rowsOf = (cache: ForeignFile, columns = MESSAGE_COLUMNS) =>
  cache.rows(messageTableOf(cache) ?? 'messages', columns, 'time, id')

// Besides messages, the cache has notes that a message was cleared or deleted, and messages for later.
const isBroughtMessage = (row: ForeignRow): boolean =>
  numberIn(row, 'published') === 1 &&
  ['', 'message'].includes(textIn(row, 'event')) &&
  textIn(row, 'encoding') === '' &&
  isNtfyName(textIn(row, 'topic'))

function messageIn(row: ForeignRow): NtfyMessage {
  const text = (column: string) => storableText(textIn(row, column)) || undefined
  const tags = textIn(row, 'tags')
  return {
    title: text('title'),
    message: text('message') ?? '',
    priority: numberIn(row, 'priority') || undefined,
    tags: tags ? storableText(tags).split(',') : undefined,
    click: text('click'),
    icon: text('icon'),
    actions: actionsIn(textIn(row, 'actions')),
    attachment: attachmentIn(row),
    content_type: textIn(row, 'content_type') === 'text/markdown' ? 'text/markdown' : undefined,
  }
}

function actionsIn(json: string): NtfyAction[] | undefined {
  try {
    const actions: unknown = JSON.parse(json || '[]')
    return Array.isArray(actions) && actions.length > 0 ? (actions as NtfyAction[]) : undefined
  } catch {
    return undefined
  }
}

function attachmentIn(row: ForeignRow): NtfyAttachment | undefined {
  const url = textIn(row, 'attachment_url')
  if (url === '') return undefined
  const type = textIn(row, 'attachment_type') || undefined
  return { name: textIn(row, 'attachment_name'), type, size: numberIn(row, 'attachment_size') || undefined, url }
}

function lostOfUsers(users: User[], file: ForeignFile | undefined): Loss[] {
  if (!file) return []
  const barred = users.filter(({ mayWrite }) => !mayWrite).length
  return [
    { what: 'passwords', why: 'only their hashes are stored; senders use a token or a new key', count: users.length },
    {
      what: 'users whose tokens send',
      why: 'they may write to no topic, so their tokens stay without effect',
      count: barred,
    },
    {
      what: 'rights per topic',
      why: 'an account reads its own inbox; share by organizations',
      count: [...file.rows('user_access', ['user_id'], 'user_id')].length,
    },
  ].filter(({ count }) => count > 0)
}

function lostOfCache(cache: ForeignFile): Loss[] {
  const rows = [...rowsOf(cache, ['published', 'event', 'encoding', 'topic', 'attachment_expires'])]
  const lost = rows.filter((row) => !isBroughtMessage(row))
  const later = lost.filter((row) => numberIn(row, 'published') !== 1).length
  const files = rows.filter((row) => numberIn(row, 'attachment_expires') > 0).length
  return [
    { what: 'messages for later', why: 'an import plans nothing; send them again', count: later },
    { what: 'messages', why: 'they are binary, or notes about other messages', count: lost.length - later },
    { what: 'attached files', why: 'their links lead to the old server, as long as it keeps them', count: files },
  ].filter(({ count }) => count > 0)
}

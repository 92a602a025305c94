// The databases of ntfy 2: that of its users (accounts, access tokens, rights per topic), and its cache of messages. Each is a
// file, and an import may have one of them or both.
import type { NtfyAction } from '../../domain/doors/ntfy/actions.ts'
import { fromNtfy } from '../../domain/doors/ntfy/mapping.ts'
import { isNtfyName, type NtfyAttachment, type NtfyMessage } from '../../domain/doors/ntfy/publication.ts'
import { StartError } from '../../domain/errors.ts'
import type { ForeignMessage, ForeignSender, ForeignServer, ForeignUser, Loss } from '../../domain/imports/foreign.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import { storableText } from '../../domain/text.ts'
import { type ForeignFile, type ForeignRow, numberIn, openForeignFile, textIn } from './file.ts'

export function openNtfy(paths: string[], now: Instant): ForeignServer {
  const files = paths.map((path) => ({ path, file: openForeignFile(path) }))
  const stranger = files.find(({ file }) => !file.has('user_token', 'token') && !file.has('messages', 'mid'))
  if (stranger) throw new StartError(`${stranger.path} is neither the user database nor the cache of ntfy 2`)
  const userFile = files.find(({ file }) => file.has('user_token', 'token'))?.file
  const cache = files.find(({ file }) => file.has('messages', 'mid'))?.file
  const users = userFile ? readUsers(userFile) : []
  return {
    door: 'ntfy',
    users,
    senders: userFile ? readTokens(userFile, users, now) : [],
    clients: [],
    messages: () => (cache ? readMessages(cache) : []),
    losses: [...lostOfUsers(users, userFile), ...(cache ? lostOfCache(cache) : [])],
    close: () => files.forEach(({ file }) => void file.close()),
  }
}

// The user of requests without credentials has a row too.
type User = ForeignUser & { mayWrite: boolean }

function readUsers(file: ForeignFile): User[] {
  const writers = new Set([...file.rows('user_access', ['user_id', 'write'], 'user_id')].flatMap(writerIn))
  const rows = [...file.rows('user', ['id', 'user', 'role', 'deleted'], 'created, id')]
  const everyone = rows.find((row) => textIn(row, 'role') === 'anonymous')
  const mayEverybody = everyone !== undefined && writers.has(textIn(everyone, 'id'))
  return rows
    .filter((row) => row !== everyone && !numberIn(row, 'deleted'))
    .map((row) => {
      const id = textIn(row, 'id')
      const mayWrite = textIn(row, 'role') === 'admin' || mayEverybody || writers.has(id)
      return { id, name: textIn(row, 'user'), mayWrite }
    })
}

const writerIn = (row: ForeignRow): string[] => (numberIn(row, 'write') === 1 ? [textIn(row, 'user_id')] : [])

// A token that has expired, or whose user may write nowhere, sends nothing today and is left out.
function readTokens(file: ForeignFile, users: User[], now: Instant): ForeignSender[] {
  const rows = [...file.rows('user_token', ['user_id', 'token', 'label', 'expires'], 'user_id, token')]
  return rows.flatMap((row) => {
    const user = users.find(({ id }) => id === textIn(row, 'user_id'))
    const expires = numberIn(row, 'expires')
    if (!user?.mayWrite || (expires > 0 && expires * 1000 <= now)) return []
    const [token, label] = [textIn(row, 'token'), textIn(row, 'label')]
    const name = label || `ntfy ${token.slice(0, 7)}…`
    return [{ id: token, userId: user.id, name, token, expiresAt: expires > 0 ? instant(expires * 1000) : null }]
  })
}

const MESSAGE_COLUMNS = [
  ...[
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
  ...['user', 'content_type', 'encoding', 'published'],
]

function* readMessages(cache: ForeignFile): Generator<ForeignMessage> {
  for (const row of cache.rows('messages', MESSAGE_COLUMNS, 'time, id')) {
    if (!isBroughtMessage(row)) continue
    const [id, topic, userId] = [textIn(row, 'mid'), textIn(row, 'topic'), textIn(row, 'user')]
    const sequence = textIn(row, 'sequence_id')
    const address = { topic, sequence: sequence !== '' && sequence !== id ? sequence : undefined }
    const at = instant(numberIn(row, 'time') * 1000)
    yield { id, userId: userId || null, senderId: null, at, to: () => fromNtfy(address, messageIn(row)) }
  }
}

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
  const rows = [...cache.rows('messages', ['published', 'event', 'encoding', 'topic', 'attachment_expires'], 'id')]
  const lost = rows.filter((row) => !isBroughtMessage(row))
  const later = lost.filter((row) => numberIn(row, 'published') !== 1).length
  const files = rows.filter((row) => numberIn(row, 'attachment_expires') > 0).length
  return [
    { what: 'messages for later', why: 'an import plans nothing; send them again', count: later },
    { what: 'messages', why: 'they are binary, or notes about other messages', count: lost.length - later },
    { what: 'attached files', why: 'their links lead to the old server, as long as it keeps them', count: files },
  ].filter(({ count }) => count > 0)
}

// Follows the notifications of an account over the event stream. A broken connection is opened again and resumes where
// it broke, so that every notification is shown, and once.
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessages } from '../../../contract/events/server-sent-events.ts'
import type { NotificationList, NotificationView } from '../../../contract/notifications/notification.ts'
import { connectionError, readDocument, type Server } from '../api.ts'
import { notHeliograph } from '../errors.ts'
import { open, readText } from '../http.ts'
import { isTemporary } from '../wait.ts'

// The server sends a comment every 20 seconds; a connection that is silent for longer is dead.
const SILENCE_MS = 50_000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000
const REMEMBERED_IDS = 1000

type Show = (notification: NotificationView) => void
type Matches = (notification: NotificationView) => boolean

export async function followNotifications(
  server: Server,
  list: () => Promise<NotificationList>,
  matches: Matches,
  show: Show,
): Promise<never> {
  const showNew = withoutRepeats(show)
  let lastEventId: string | undefined
  let retryMs = FIRST_RETRY_MS
  for (let hasConnected = false; ; ) {
    try {
      const messages = await connect(server, lastEventId)
      // Without an id to resume from, notifications of the meantime are in the list. The stream is open already, so none is missed.
      if (lastEventId === undefined) for (const one of (await list()).items) showNew(one)
      if (hasConnected) console.error('heliograph: connected again')
      hasConnected = true
      retryMs = FIRST_RETRY_MS
      for await (const { id, type, data } of messages) {
        lastEventId = id
        // The server no longer has the events since that id.
        if (type === 'reset') for (const one of (await list()).items) showNew(one)
        const notification = type === 'notification.created' ? JSON.parse(data).data : undefined
        if (notification && matches(notification)) showNew(notification)
      }
    } catch (error) {
      if (!hasConnected || !isTemporary(error)) throw error
    }
    console.error(`heliograph: connection lost; trying again in ${retryMs / 1000} s`)
    await sleep(retryMs)
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }
}

async function connect({ url, token }: Server, lastEventId: string | undefined) {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  const options = { method: 'GET', headers, timeoutMs: SILENCE_MS }
  const failed = (error: Error) => {
    throw connectionError(url, error, SILENCE_MS)
  }
  const response = await open(`${url}/events`, options).catch(failed)
  if (!response.headers['content-type']?.startsWith('text/event-stream')) {
    const [status, text] = [response.statusCode ?? 0, await readText(response).catch(failed)]
    readDocument(url, { status, headers: response.headers, text })
    throw notHeliograph(url, status, response.headers)
  }
  return readMessages(failingWith(response.setEncoding('utf8'), failed))
}

async function* failingWith(chunks: AsyncIterable<string>, failed: (error: Error) => never): AsyncGenerator<string> {
  try {
    yield* chunks
  } catch (error) {
    failed(error as Error)
  }
}

// A notification can be both in the list and in the stream.
function withoutRepeats(show: Show): Show {
  const shown = new Set<number>()
  return (notification) => {
    if (shown.has(notification.id)) return
    shown.add(notification.id)
    if (shown.size > REMEMBERED_IDS) shown.delete(Math.min(...shown))
    show(notification)
  }
}

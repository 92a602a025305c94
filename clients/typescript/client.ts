// @heliograph/client: sends notifications, asks questions, and shows activities and widgets. It has no dependency and uses only
// what Node.js, Deno, Bun, browsers and workers have in common.
import type {
  Activity,
  ActivityPatch,
  Answer,
  NotificationAction,
  NotificationInput,
  Receipt,
  SentNotification,
  Widget,
  WidgetContentPatch,
} from './api-types.ts'
import { coalescing } from './coalescing.ts'
import { HeliographError } from './errors.ts'
import { type EventsOptions, type StreamedEvent, streamEvents } from './events.ts'
import { type ClientOptions, createTransport, type Request, type Transport } from './transport.ts'
import { type WaitOptions, waitFor } from './waiting.ts'

export type * from './api-types.ts'
export { type CallbackRequest, verifyCallback } from './callback.ts'
export { decrypt, encrypt, type OpenedEnvelope } from './envelope.ts'
export { HeliographError } from './errors.ts'
export type { ClientOptions, EventsOptions, StreamedEvent, WaitOptions }

export type SendOptions = {
  // Set your own to send at most once even if the program runs again. Default: a new key per call.
  idempotencyKey?: string
  signal?: AbortSignal
}
export type Question = Omit<NotificationInput, 'actions'> & { actions: NotificationAction[] }
export type HandleOptions = {
  // The shortest time between two requests; changes in between are merged. Default: a second.
  intervalMs?: number
}
export type ActivityHandle = {
  // Starts the activity if it is not ongoing; creates it if there is none.
  update(content: Record<string, unknown>, patch?: Omit<ActivityPatch, 'content' | 'state'>): Promise<Activity>
  // Sends at once, with the changes that were not sent yet.
  end(content?: Record<string, unknown>, patch?: Omit<ActivityPatch, 'content' | 'state'>): Promise<Activity>
}
export type WidgetHandle = {
  // Creates the widget if there is none; the content must then name its template.
  update(content: WidgetContentPatch, options?: { name?: string }): Promise<Widget>
  get(): Promise<Widget>
}
export type Client = {
  send(notification: NotificationInput, options?: SendOptions): Promise<SentNotification>
  // Without an answer in time, the status of the result is `pending`, and `answer` can wait for it later.
  ask(question: Question, options?: SendOptions & WaitOptions): Promise<Answer>
  answer(notificationId: number, options?: WaitOptions): Promise<Answer>
  // Repeats on the devices until somebody acknowledges.
  alert(notification: NotificationInput, options?: SendOptions): Promise<SentNotification>
  receipt(notificationId: number, options?: { signal?: AbortSignal }): Promise<Receipt>
  cancelAlert(notificationId: number): Promise<Receipt>
  activity(slug: string, options?: HandleOptions): ActivityHandle
  widget(slug: string, options?: HandleOptions): WidgetHandle
  // Needs a token (`hla_…`). Never ends by itself: leave the loop or abort the signal.
  events(options?: EventsOptions): AsyncGenerator<StreamedEvent>
  // For all other endpoints, with the same retries.
  request: Request
}

const INTERVAL_MS = 1000

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const { request } = transport

  const send = (notification: NotificationInput, { idempotencyKey, signal }: SendOptions = {}) =>
    request<SentNotification>('POST', '/notifications', {
      body: notification,
      idempotencyKey: idempotencyKey ?? randomId(),
      ...(signal && { signal }),
    })
  const answer = (id: number, wait: WaitOptions = {}) =>
    waitFor<Answer>(transport, `/notifications/answers/${id}`, ({ status }) => status === 'answered', wait)

  return {
    send,
    answer,
    async ask(question, wait = {}) {
      const { id } = await send(question, wait)
      return answer(id, wait)
    },
    alert: (notification, sending) => send({ acknowledge: {}, ...notification }, sending),
    receipt: (id, call) => request('GET', `/notifications/receipts/${id}`, call),
    cancelAlert: (id) => request('POST', `/notifications/receipts/${id}/cancel`),
    activity: (slug, handle) => activityHandle(transport, slug, handle),
    widget: (slug, handle) => widgetHandle(transport, slug, handle),
    events: (reading = {}) => streamEvents(transport, reading),
    request,
  }
}

function activityHandle({ request, sleep }: Transport, slug: string, options: HandleOptions = {}): ActivityHandle {
  const path = `/activities/${encodeURIComponent(slug)}?upsert=true`
  const send = (body: object) => request<Activity>('PATCH', path, { body })
  const { change, changeNow } = coalescing(send, options.intervalMs ?? INTERVAL_MS, sleep)
  return {
    update: (content, patch) => change({ ...patch, state: 'ongoing', content }),
    end: (content, patch) => changeNow({ ...patch, state: 'ended', ...(content && { content }) }),
  }
}

function widgetHandle({ request, sleep }: Transport, slug: string, options: HandleOptions = {}): WidgetHandle {
  const path = `/widgets/${encodeURIComponent(slug)}`
  async function send({ name, content }: { name?: string; content?: object }): Promise<Widget> {
    try {
      return await request<Widget>('PATCH', path, { body: { content, ...(name !== undefined && { name }) } })
    } catch (error) {
      if (!(error instanceof HeliographError && error.code === 'widget.not_found')) throw error
      return request<Widget>('POST', '/widgets', { body: { slug, name: name ?? slug, content } })
    }
  }
  const { change } = coalescing(send, options.intervalMs ?? INTERVAL_MS, sleep)
  return { update: (content, patch) => change({ ...patch, content }), get: () => request('GET', path) }
}

// Browsers have crypto.randomUUID only on pages served over https.
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

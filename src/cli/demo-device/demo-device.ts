// serve --demo-device: a simulated phone in the terminal. It registers like any device, follows the event stream, prints
// notifications, widgets and live activities, and answers when a number is typed. It uses only the public API.
import { createInterface } from 'node:readline'
import colors from 'picocolors'
import type { ActivityView } from '../../contract/activities.ts'
import type { EventMessage } from '../../contract/events/event.ts'
import { readMessages, textOf } from '../../contract/events/server-sent-events.ts'
import type { NotificationView } from '../../contract/notifications/notification.ts'
import type { WidgetView } from '../../contract/widgets.ts'
import { printable, printableLine } from '../output.ts'
import { activityCard, answerableActions, notificationCard, widgetCard } from './cards.ts'

const DEVICE_ID = 'demo-terminal'

type Call = (method: string, path: string, body?: object) => Promise<Response>

// Returns the function that disconnects the device.
export async function startDemoDevice(url: string, token: string): Promise<() => void> {
  const off = new AbortController()
  const call: Call = (method, path, body) => request(url + path, token, method, body)
  await call('PUT', `/devices/${DEVICE_ID}`, { name: 'Terminal', platform: 'web' })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/events?device_id=${DEVICE_ID}`, { headers, signal: off.signal })
  if (!answer.body) throw new Error('the event stream has no body')
  console.log('demo device: this terminal shows what a phone would show; type "help" for what it can do')
  const screen = createScreen(call)
  void showAll(answer.body, screen.show).catch(() => {})
  const typed = createInterface({ input: process.stdin })
  typed.on('line', (line) => void screen.type(line))
  return () => {
    typed.close()
    off.abort()
  }
}

// One event after the other, so that a card which must be fetched keeps its place.
async function showAll(body: ReadableStream<Uint8Array>, show: (event: EventMessage) => Promise<void>): Promise<void> {
  for await (const { data } of readMessages(textOf(body))) {
    const event: Partial<EventMessage> = JSON.parse(data)
    if (event.type) await show(event as EventMessage)
  }
}

function createScreen(call: Call) {
  const notifications = new Map<number, NotificationView>()
  // The newest notification that has alerted: typed numbers answer it.
  let latest: NotificationView | undefined

  const show = async (event: EventMessage): Promise<void> => {
    const text = await cardOf(event)
    if (text) console.log(text)
  }

  async function cardOf({ type, data }: EventMessage): Promise<string | undefined> {
    switch (type) {
      case 'notification.created':
        // Deleted since: only its id is left.
        if (!('title' in data)) return undefined
        notifications.set(data.id, data)
        latest = data
        return notificationCard(data)
      case 'receipt.repeated':
        latest = notifications.get(data.id)
        return latest && `${notificationCard(latest)} ${colors.dim(`again (repeat ${data.repeats_sent})`)}`
      case 'receipt.escalated':
        latest = notifications.get(data.id)
        return latest && `${notificationCard(latest)} ${colors.dim(`escalated (step ${data.escalated_steps})`)}`
      case 'receipt.acknowledged':
      case 'receipt.expired':
      case 'receipt.canceled': {
        const title = notifications.get(data.id)?.title
        return title && colors.dim(`${type.slice('receipt.'.length)}: ${printableLine(title)}`)
      }
      case 'widget.updated': {
        const answer = await call('GET', `/widgets/${encodeURIComponent(data.slug)}`)
        return answer.ok ? widgetCard((await answer.json()) as WidgetView) : undefined
      }
      case 'activity.started':
      case 'activity.updated':
      case 'activity.ended':
        return 'content' in data ? activityCard(data as ActivityView) : undefined
      default:
        return undefined
    }
  }

  const type = async (line: string): Promise<void> => {
    const [, number, text] = /^\s*(\d+)\s*(.*)$/.exec(line) ?? []
    const action = latest && answerableActions(latest)[Number(number) - 1]
    if (line.trim() === '') return
    console.log(latest && action ? await answerWith(latest, action, text) : help(latest))
  }

  async function answerWith({ id }: NotificationView, action: { id: string; title: string }, text?: string) {
    const body = { action_id: action.id, device_id: DEVICE_ID, ...(text && { text }) }
    const answer = await call('POST', `/notifications/${id}/answer`, body)
    if (answer.ok) return colors.green(`answered: ${printableLine(action.title)}`)
    return colors.red(((await answer.json()) as { detail: string }).detail)
  }

  return { show, type }
}

function help(latest: NotificationView | undefined): string {
  const count = latest ? answerableActions(latest).length : 0
  const numbers = count === 1 ? '1' : `1 to ${count}`
  return colors.dim(
    count > 0
      ? `Type ${numbers} to answer “${printable(latest?.title ?? '')}”, and text after the number where … stands. Ctrl-C stops the server.`
      : 'Nothing waits for an answer. When a notification shows [1], type that number. Ctrl-C stops the server.',
  )
}

function request(url: string, token: string, method: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  return fetch(url, { method, headers, body: body && JSON.stringify(body) })
}

// serve --demo-device: a simulated phone in the terminal. It registers like any device, follows the event stream,
// prints what arrives, and answers when a number is typed. It uses only the public API.
import { createInterface } from 'node:readline'
import colors from 'picocolors'
import type { NotificationView } from '../contract/notification.ts'
import { readMessages } from './event-stream.ts'
import { printable } from './output.ts'

const DEVICE_ID = 'demo-terminal'

type ShownNotification = { id: number; actions: NonNullable<NotificationView['actions']> }
type StreamEvent =
  | { type: 'notification.created'; data: NotificationView }
  | { type: `receipt.${string}`; data: { id: number; repeats_sent: number } }

// Returns the function that disconnects the device.
export async function startDemoDevice(url: string, token: string): Promise<() => void> {
  const off = new AbortController()
  await call(url, token, 'PUT', `/devices/${DEVICE_ID}`, { name: 'Terminal', platform: 'web' })
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/events?device_id=${DEVICE_ID}`, { headers, signal: off.signal })
  if (!answer.body) throw new Error('the event stream has no body')
  console.log('demo device: this terminal shows what a phone would show')
  let latest: ShownNotification | undefined
  const notifications = new Map<number, NotificationView>()
  void readStream(answer.body, (event) => {
    if (event.type === 'notification.created') notifications.set(event.data.id, event.data)
    const notification = notifications.get(event.data.id)
    if (!notification) return
    if (isAlert(event)) latest = { id: notification.id, actions: recordable(notification) }
    const text = describeEvent(event, notification)
    if (text) console.log(text)
  }).catch(() => {})
  const typed = createInterface({ input: process.stdin })
  typed.on('line', (line) => {
    if (latest) void reply(url, token, latest, line)
  })
  return () => {
    typed.close()
    off.abort()
  }
}

async function readStream(body: ReadableStream<Uint8Array>, take: (event: StreamEvent) => void): Promise<void> {
  for await (const { type, data } of readMessages(body.pipeThrough(new TextDecoderStream()))) {
    if (/^(notification\.created|receipt\.)/.test(type)) take(JSON.parse(data))
  }
}

const isAlert = ({ type }: StreamEvent) => type === 'notification.created' || type === 'receipt.repeated'

function describeEvent({ type, data }: StreamEvent, notification: NotificationView): string | undefined {
  if (type === 'notification.created') return card(notification)
  if (type === 'receipt.created') return undefined
  if (type === 'receipt.repeated') return `${card(notification)} ${colors.dim(`again (repeat ${data.repeats_sent})`)}`
  return colors.dim(`${type.slice('receipt.'.length)}: ${printable(notification.title)}`)
}

const recordable = ({ actions = [] }: NotificationView) => actions.filter((action) => !action.url && !action.foreground)

function card(notification: NotificationView): string {
  const { title, subtitle, body, level, source_display_name: source } = notification
  const choices = recordable(notification).map((action, index) => {
    const hint = action.text_input ? ' …' : ''
    return colors.cyan(`[${index + 1}] ${action.title}${hint}`)
  })
  const lines = [
    `${colors.bold(printable(title))}  ${colors.dim(source ? `${printable(source)} · ${level}` : level)}`,
    ...(subtitle ? [printable(subtitle)] : []),
    ...printable(body).split('\n'),
    ...(choices.length > 0
      ? [choices.join('   '), colors.dim('type a number to answer, and text after it where … stands')]
      : []),
  ]
  return ['', colors.yellow('╭─'), ...lines.map((line) => `${colors.yellow('│')} ${line}`), colors.yellow('╰─')].join(
    '\n',
  )
}

async function reply(url: string, token: string, { id, actions }: ShownNotification, line: string): Promise<void> {
  const [, number, text] = /^\s*(\d+)\s*(.*)$/.exec(line) ?? []
  const action = actions[Number(number) - 1]
  if (!action) return
  const body = { action_id: action.id, device_id: DEVICE_ID, ...(text && { text }) }
  const answer = await call(url, token, 'POST', `/notifications/${id}/answer`, body)
  const problem = answer.ok ? undefined : ((await answer.json()) as { detail: string })
  console.log(problem ? colors.red(problem.detail) : colors.green(`answered: ${action.title}`))
}

function call(url: string, token: string, method: string, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(url + path, { method, headers, body: JSON.stringify(body) })
}

// serve --demo-device: a phone in the terminal. It registers like any device, listens to the event stream, shows what
// arrives, and answers when a number is typed. It speaks to the public API only.
import { createInterface } from 'node:readline'
import colors from 'picocolors'
import type { NotificationView } from '../contract/notification.ts'

const DEVICE_ID = 'demo-terminal'

type Shown = { id: number; actions: NonNullable<NotificationView['actions']> }

// Returns the function that switches the device off.
export async function startDemoDevice(url: string, token: string): Promise<() => void> {
  const off = new AbortController()
  await call(url, token, 'PUT', `/devices/${DEVICE_ID}`, { name: 'Terminal', platform: 'web' })
  const answer = await fetch(`${url}/events`, { headers: { authorization: `Bearer ${token}` }, signal: off.signal })
  if (!answer.body) throw new Error('the event stream has no body')
  console.log('demo device: this terminal shows what a phone would show')
  let latest: Shown | undefined
  void follow(answer.body, (notification) => {
    latest = { id: notification.id, actions: recordable(notification) }
    console.log(card(notification))
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

async function follow(body: ReadableStream<Uint8Array>, show: (notification: NotificationView) => void): Promise<void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      if (event.includes('event: notification.created') && data) show(JSON.parse(data.slice('data: '.length)).data)
    }
  }
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

// Whoever may send must not be able to move the cursor of whoever reads.
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' ? char : '·'))

async function reply(url: string, token: string, { id, actions }: Shown, line: string): Promise<void> {
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

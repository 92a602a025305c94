// Connects to the door for ntfy as its apps do, and records what they receive.

import type { TestApp, TestUser } from '../app.ts'
import { eventually } from '../eventually.ts'

export type AppDevice = { id: string; password: string }

export async function addApp(app: TestApp, { token }: TestUser, kind = 'ntfy', name = 'Pixel'): Promise<AppDevice> {
  const { status, body } = await app.post('/devices/apps', { kind, name }, token)
  if (status !== 201) throw new Error(`cannot add an app: ${JSON.stringify(body)}`)
  return { id: body.device.id, password: body.password }
}

// As the app of Android sends it.
export const appHeaders = ({ password }: AppDevice): Record<string, string> => ({
  authorization: `Basic ${btoa(`heliograph:${password}`)}`,
  'user-agent': 'ntfy/1.25.0 (fdroid; Android 15; SDK 35)',
})

// biome-ignore lint/suspicious/noExplicitAny: tests compare what they expect.
export type NtfyLine = any

export type NtfyStream = {
  headers: Headers
  // Without the first one, which says that the stream is open.
  lines: NtfyLine[]
  opened: NtfyLine
  messages(): NtfyLine[]
  lastId(): string
  close(): void
  ended: Promise<void>
}

// GET /{path}, until the stream says that it is open.
export async function openNtfy(app: Pick<TestApp, 'url'>, device: AppDevice, path: string): Promise<NtfyStream> {
  const disconnect = new AbortController()
  const answer = await fetch(`${app.url}/ntfy/${path}`, { headers: appHeaders(device), signal: disconnect.signal })
  if (answer.status !== 200 || !answer.body) throw new Error(`GET /${path} answered ${answer.status}`)
  const all: NtfyLine[] = []
  const ended = readLines(answer.body, (line) => all.push(JSON.parse(line))).catch(() => {})
  await eventually(() => {
    if (all.length === 0) throw new Error('not open yet')
  })
  const lines = () => all.slice(1)
  return {
    headers: answer.headers,
    get opened() {
      return all[0]
    },
    get lines() {
      return lines()
    },
    messages: () => lines().filter(({ event }) => event === 'message'),
    lastId: () => lines().findLast(({ event }) => event !== 'keepalive')?.id ?? 'none',
    close: () => disconnect.abort(),
    ended,
  }
}

async function readLines(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  }
}

// GET /{path}, which ends by itself.
export async function pollNtfy(app: Pick<TestApp, 'url'>, device: AppDevice, path: string): Promise<NtfyLine[]> {
  const answer = await fetch(`${app.url}/ntfy/${path}`, { headers: appHeaders(device) })
  if (answer.status !== 200) throw new Error(`GET /${path} answered ${answer.status}`)
  const lines = (await answer.text()).split('\n')
  // The last line ends with a line feed, too.
  if (lines.pop() !== '') throw new Error('the last line is not complete')
  return lines.map((line) => JSON.parse(line))
}

export type NtfySocket = { frames: NtfyLine[]; close(): void; closed: Promise<{ code: number; wasClean: boolean }> }

// A WebSocket that has its first frame.
export async function openNtfySocket(app: Pick<TestApp, 'url'>, device: AppDevice, path: string): Promise<NtfySocket> {
  const auth = btoa(`Basic ${btoa(`heliograph:${device.password}`)}`).replaceAll('=', '')
  const joint = path.includes('?') ? '&' : '?'
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ntfy/${path}${joint}auth=${auth}`)
  const frames: NtfyLine[] = []
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))))
  const closed = new Promise<{ code: number; wasClean: boolean }>((resolve) =>
    socket.addEventListener('close', ({ code, wasClean }) => resolve({ code, wasClean })),
  )
  await Promise.race([
    eventually(() => {
      if (frames.length === 0) throw new Error('not open yet')
    }),
    closed.then(() => {
      throw new Error('the socket was refused')
    }),
  ])
  return { frames, close: () => socket.close(), closed }
}

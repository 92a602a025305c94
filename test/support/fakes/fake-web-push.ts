// A push service on this machine: hands out subscriptions, answers pushes as scripted, and keeps what it received.
// Decryption and the check of the VAPID token are those of the npm package web-push-testing, not ours.
import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { selfSigned } from './self-signed.ts'

export type PushAnswer = { status: number; headers?: Record<string, string> } | 'never answer' | 'break off'

export type ReceivedPush = { path: string; headers: IncomingHttpHeaders; body: Buffer }

export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type FakeWebPush = {
  origin: string
  // For openOutbound, which trusts nobody on this machine by itself.
  ca: string
  // With the sender's public key, `read` also checks the VAPID token against it.
  subscribe(applicationServerKey?: string): Promise<Subscription>
  // One answer for each push; afterwards 201.
  answerWith(...answers: PushAnswer[]): void
  received: ReceivedPush[]
  // What the browser would show; rejects when it could not be shown.
  read(push: ReceivedPush): Promise<string>
  close(): Promise<void>
}

export async function startFakeWebPush(): Promise<FakeWebPush> {
  const { key, cert } = selfSigned()
  const received: ReceivedPush[] = []
  const script: PushAnswer[] = []
  const server = createServer({ key, cert }, async (request, response) => {
    received.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) })
    reply(response, script.shift() ?? { status: 201 })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
  const browser = new PushApiModel()
  browser.notifyUrl = `${origin}/push/`

  return {
    origin,
    ca: cert,
    subscribe: (applicationServerKey) => browser.subscribe(applicationServerKey ? { applicationServerKey } : {}),
    answerWith: (...answers) => script.push(...answers),
    received,
    read: (push) => read(browser, push),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function reply(response: ServerResponse, answer: PushAnswer) {
  if (answer === 'never answer') return
  if (answer === 'break off') return response.destroy()
  response.writeHead(answer.status, answer.headers).end()
}

async function read(browser: PushApiModel, push: ReceivedPush): Promise<string> {
  const clientHash = push.path.slice('/push/'.length)
  const { 'content-encoding': encoding, ttl, authorization } = push.headers
  await browser.handleNotification(clientHash, { encoding, ttl, authorization }, push.body)
  return browser.getNotifications({ clientHash }).messages.at(-1) ?? ''
}

// The package brings no types; this is the part we use.
type PushApiModel = {
  notifyUrl: string
  subscribe(options: { applicationServerKey?: string }): Promise<Subscription>
  handleNotification(clientHash: string, headers: Record<string, unknown>, body: Buffer): Promise<void>
  getNotifications(which: { clientHash: string }): { messages: string[] }
}

const { PushApiModel }: { PushApiModel: new () => PushApiModel } = createRequire(import.meta.url)(
  'web-push-testing/src/PushApiModel.js',
)

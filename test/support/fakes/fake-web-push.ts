// A local push service: hands out subscriptions, gives scripted answers, and records the pushes it received.
// The npm package web-push-testing decrypts and checks the VAPID token, so that our own code does not test itself.
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
  // For openOutbound, which does not trust this certificate otherwise.
  ca: string
  // With the sender's public key, `read` also verifies the VAPID token with it.
  subscribe(applicationServerKey?: string): Promise<Subscription>
  // One answer per push, then 201.
  answerWith(...answers: PushAnswer[]): void
  received: ReceivedPush[]
  // Returns the decrypted text; rejects when a browser could not show the push.
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

// The package has no types; this is the part in use.
type PushApiModel = {
  notifyUrl: string
  subscribe(options: { applicationServerKey?: string }): Promise<Subscription>
  handleNotification(clientHash: string, headers: Record<string, unknown>, body: Buffer): Promise<void>
  getNotifications(which: { clientHash: string }): { messages: string[] }
}

const { PushApiModel }: { PushApiModel: new () => PushApiModel } = createRequire(import.meta.url)(
  'web-push-testing/src/PushApiModel.js',
)

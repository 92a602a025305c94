// Heartbeats over the API: creating them, pinging them, and what people are told of them.
import type { TestApp, TestUser } from '../app.ts'
import type { Answer, Call } from '../client.ts'

export type PingedHeartbeat = { slug: string; path: string; ping_url: string; status: string }
export type Message = { id: number; title: string; body: string; level: string; pushed: boolean }

export function heartbeatsOf(app: Pick<TestApp, 'post' | 'get' | 'call'>) {
  const add = async ({ token }: { token: string }, members: object = {}): Promise<PingedHeartbeat> => {
    const input = { slug: 'backup', name: 'Backup', every_seconds: 3600, ...members }
    const { status, text, body } = await app.post('/heartbeats', input, token)
    if (status !== 201) throw new Error(`cannot create a heartbeat: ${text}`)
    return { ...body, path: new URL(body.ping_url).pathname }
  }
  return {
    add,
    ping: ({ path }: { path: string }, action = '', call: Call = {}): Promise<Answer> =>
      app.call(call.raw === undefined ? 'GET' : 'POST', path + action, call),
    read: async ({ token }: { token: string }, slug = 'backup') => (await app.get(`/heartbeats/${slug}`, token)).body,
    statusOf: async ({ token }: { token: string }, slug = 'backup'): Promise<string> =>
      (await app.get(`/heartbeats/${slug}`, token)).body.status,
    pings: async ({ token }: { token: string }, slug = 'backup') =>
      (await app.get(`/heartbeats/${slug}/pings`, token)).body.items,
    // Oldest first.
    told: async ({ token }: TestUser): Promise<Message[]> =>
      (await app.get('/notifications?limit=100', token)).body.items.toReversed(),
  }
}

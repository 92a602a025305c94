// What the writing clients write, for an account: widgets, keys, notifications, alerts, schedules and activities.
import { expect } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { TestClient } from '../client.ts'
import { acceptedIn, type Entry, expectAllAdded, expectLastWritten, type Subject, unansweredIn } from './log.ts'

const SLUGS = ['a', 'b', 'c', 'd']
const MOST_KEYS = 20

const slugFor = (value: number) => SLUGS[value % SLUGS.length] as string
const about = (log: Entry[], target: string) => log.filter((entry) => entry.target === target)

export const widgets: Subject = {
  next(log, value) {
    const target = slugFor(value)
    return { op: acceptedIn(about(log, target)).length === 0 || value % 3 === 0 ? 'put' : 'patch', target }
  },
  send(api, { token }, { op, target, value }) {
    if (op === 'patch') return api.patch(`/widgets/${target}`, { content: { value } }, token)
    const content = { template: 'gauge', value, min_value: 0, max_value: 1_000_000 }
    return api.post('/widgets', { slug: target, name: 'W', content }, token)
  },
  read: ({ headers }, { op }) => ({ isUpdate: op === 'patch' || headers.get('x-resource-action') === 'updated' }),
  async check(api, { token }, log) {
    let updates = log.filter(({ accepted }) => accepted?.isUpdate).length
    for (const slug of SLUGS) {
      const { status, body } = await api.get(`/widgets/${slug}`, token)
      const found = status === 200 ? body.content.value : undefined
      expectLastWritten(about(log, slug), found, `widget ${slug}`)
      const unanswered = unansweredIn(about(log, slug))
      const isThere = unanswered !== undefined && found === unanswered.value
      if (isThere && acceptedIn(about(log, slug)).length > 0) updates += 1
    }
    // The quota is charged in the transaction of the update, so a partial write would show as a wrong count.
    expect((await api.get('/auth/me', token)).body.widget_updates_used).toBe(updates)
  },
}

export const keys: Subject = {
  next(log, value) {
    const current = currentKeys(log)
    if (value % 2 === 0 && current.size < MOST_KEYS) return { op: 'create' }
    const [target] = [...current.keys()].slice(value % (current.size || 1))
    return target === undefined ? undefined : { op: 'roll', target }
  },
  send(api, { token }, { op, target }) {
    if (op === 'roll') return api.post(`/integrations/keys/${target}/roll`, undefined, token)
    return api.post('/integrations/keys', { name: 'k', permissions: { widgets: 'read' } }, token)
  },
  read: ({ body }) => ({ id: body.id, secret: body.key }),
  async check(api, _writer, log) {
    const unanswered = unansweredIn(log)
    for (const [id, secret] of currentKeys(log)) {
      if (unanswered?.target === id) continue
      expect((await api.get('/widgets', secret)).status, `key ${id}`).toBe(200)
    }
  },
}

function currentKeys(log: Entry[]): Map<string, string> {
  return new Map(acceptedIn(log).map(({ accepted }) => [String(accepted?.id), String(accepted?.secret)]))
}

export const notifications: Subject = {
  next: () => ({ op: 'send' }),
  send: (api, { token }, { value }) => api.post('/notifications', { title: `Note ${value}`, body: 'B' }, token),
  read: ({ body }) => ({ id: String(body.id) }),
  async check(api, { token }, log) {
    expectAllAdded(log, await listedValues(api, '/notifications', token, 'Note '), 'notifications')
  },
}

const ALERT = { body: 'B', acknowledge: { repeat_seconds: 3600, expire_seconds: 10_800 } }

export const alerts: Subject = {
  next(log) {
    const open = openAlerts(log)
    if (open.length < LIMITS.receipt.maxOpen / 5) return { op: 'send' }
    return { op: 'acknowledge', target: open[0] }
  },
  send(api, { token }, { op, target, value }) {
    if (op === 'send') return api.post('/notifications', { title: `Alert ${value}`, ...ALERT }, token)
    return api.post(`/notifications/${target}/answer`, { action_id: 'pw_ack' }, token)
  },
  read: ({ body }, { target }) => ({ id: target ?? String(body.id) }),
  async check(api, { token }, log) {
    const sent = log.filter(({ op }) => op === 'send')
    expectAllAdded(sent, await listedValues(api, '/notifications', token, 'Alert '), 'alerts')
    const open = openAlerts(log)
    for (const { accepted } of acceptedIn(sent)) {
      const id = String(accepted?.id)
      const { status } = (await api.get(`/notifications/receipts/${id}`, token)).body
      if (unansweredIn(log)?.target === id) expect(['active', 'acknowledged']).toContain(status)
      else expect(status, `receipt ${id}`).toBe(open.includes(id) ? 'active' : 'acknowledged')
    }
  },
}

function openAlerts(log: Entry[]): string[] {
  const idsOf = (op: string) =>
    acceptedIn(log).flatMap((entry) => (entry.op === op ? [String(entry.accepted?.id)] : []))
  const acknowledged = new Set(idsOf('acknowledge'))
  return idsOf('send').filter((id) => !acknowledged.has(id))
}

export const schedules: Subject = {
  next: (log) => (log.length < LIMITS.schedule.maxPending ? { op: 'plan' } : undefined),
  send(api, { token }, { value }) {
    const body = { title: `Plan ${value}`, body: 'B', send_at: farAway() }
    return api.post('/notifications/scheduled', body, token)
  },
  read: ({ body }) => ({ id: String(body.id) }),
  async check(api, { token }, log) {
    expectAllAdded(log, await listedValues(api, '/notifications/scheduled', token, 'Plan '), 'schedules')
  },
}

const farAway = () => new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString()

export const activities: Subject = {
  next: () => ({ op: 'patch' }),
  send(api, { token }, { value }) {
    return api.patch('/activities/build?upsert=true', { state: 'ongoing', content: { state: String(value) } }, token)
  },
  read: () => ({}),
  async check(api, { token }, log) {
    const { status, body } = await api.get('/activities/build', token)
    expectLastWritten(log, status === 200 ? Number(body.content.state) : undefined, 'activity')
  },
}

// The numbers behind this word in the titles of all items.
export async function listedValues(api: TestClient, path: string, token: string, word: string): Promise<number[]> {
  const values: number[] = []
  let cursor = ''
  do {
    const { body } = await api.get(`${path}?limit=100${cursor}`, token)
    for (const { title } of body.items as { title: string }[]) {
      if (title.startsWith(word)) values.push(Number(title.slice(word.length)))
    }
    cursor = body.next_cursor ? `&cursor=${encodeURIComponent(body.next_cursor)}` : ''
  } while (cursor)
  return values
}

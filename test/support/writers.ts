// Clients that write as fast as they are answered, and record every request and its answer. After a crash, every
// accepted write must be there, and a request without an answer must be there completely or not at all.
import { expect } from 'vitest'
import { openContext } from '../../src/app.ts'
import { addUser } from '../../src/operations/accounts/accounts.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import type { Answer, TestClient } from './client.ts'

type Entry =
  | { op: 'put' | 'patch'; slug: string; value: number; accepted?: { updated: boolean } }
  | { op: 'create key'; accepted?: { id: string; secret: string } }
  | { op: 'roll key'; id: string; accepted?: { id: string; secret: string } }

export type Writer = { token: string; entries: Entry[] }

const SLUGS = ['a', 'b', 'c', 'd']
const MOST_KEYS = 20

export async function createWriters(environment: Environment, count: number): Promise<Writer[]> {
  const config = loadConfig({}, environment, 'no-such-file.json')
  const { ctx, stop } = await openContext(config, { log: createLog('silent', 'json') })
  const names = Array.from({ length: count }, () => `writer-${Math.random().toString(36).slice(2)}`)
  const accounts = await Promise.all(names.map((name) => addUser(ctx, name, 'paid')))
  await stop()
  return accounts.map(({ token }) => ({ token, entries: [] }))
}

// Writes until the server stops answering because it was killed.
export async function writeUntilKilled(writer: Writer, api: TestClient): Promise<void> {
  for (let value = 1; ; value++) {
    const entry = nextEntry(writer, value)
    writer.entries.push(entry)
    try {
      await send(writer, api, entry)
    } catch (error) {
      // fetch throws a TypeError when there is no answer.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

export const countAccepted = ({ entries }: Writer): number => entries.filter(({ accepted }) => accepted).length

export async function expectAllAccepted(writer: Writer, api: TestClient): Promise<void> {
  const unanswered = writer.entries.find(({ accepted }) => !accepted)
  let updates = writer.entries.filter((entry) => 'slug' in entry && entry.accepted?.updated).length
  for (const slug of SLUGS) {
    const { status, body } = await api.get(`/widgets/${slug}`, writer.token)
    const found = status === 200 ? body.content.value : undefined
    const accepted = lastValue(writer, slug)
    const open = unanswered && 'slug' in unanswered && unanswered.slug === slug ? unanswered.value : undefined
    expect([accepted, ...(open === undefined ? [] : [open])], `widget ${slug}`).toContain(found)
    // The quota is counted in the transaction of the update, so a partial write would show as a wrong count.
    if (open !== undefined && found === open && accepted !== undefined) updates += 1
  }
  expect((await api.get('/auth/me', writer.token)).body.widget_updates_used).toBe(updates)
  for (const { id, secret } of currentKeys(writer)) {
    if (unanswered?.op === 'roll key' && unanswered.id === id) continue
    expect((await api.get('/widgets', secret)).status, `key ${id}`).toBe(200)
  }
}

function nextEntry(writer: Writer, value: number): Entry {
  const keys = currentKeys(writer)
  const slug = SLUGS[value % SLUGS.length] as string
  if (value % 5 === 0 && keys.length < MOST_KEYS) return { op: 'create key' }
  const key = keys[value % (keys.length || 1)]
  if (value % 7 === 0 && key) return { op: 'roll key', id: key.id }
  return { op: lastValue(writer, slug) === undefined || value % 3 === 0 ? 'put' : 'patch', slug, value }
}

async function send({ token }: Writer, api: TestClient, entry: Entry): Promise<void> {
  switch (entry.op) {
    case 'create key': {
      const key = { name: 'k', permissions: { widgets: 'read' } }
      const { body } = accepted(await api.post('/integrations/keys', key, token))
      entry.accepted = { id: body.id, secret: body.key }
      return
    }
    case 'roll key': {
      const { body } = accepted(await api.post(`/integrations/keys/${entry.id}/roll`, undefined, token))
      entry.accepted = { id: body.id, secret: body.key }
      return
    }
    case 'put': {
      const content = { template: 'gauge', value: entry.value, min_value: 0, max_value: 1_000_000 }
      const { headers } = accepted(await api.post('/widgets', { slug: entry.slug, name: 'W', content }, token))
      entry.accepted = { updated: headers.get('x-resource-action') === 'updated' }
      return
    }
    case 'patch':
      accepted(await api.patch(`/widgets/${entry.slug}`, { content: { value: entry.value } }, token))
      entry.accepted = { updated: true }
  }
}

function accepted(answer: Answer): Answer {
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

function lastValue(writer: Writer, slug: string): number | undefined {
  const last = writer.entries.findLast((entry) => 'slug' in entry && entry.slug === slug && entry.accepted)
  return last && 'slug' in last ? last.value : undefined
}

function currentKeys(writer: Writer): { id: string; secret: string }[] {
  const keys = new Map<string, string>()
  for (const entry of writer.entries) {
    if ('slug' in entry || !entry.accepted) continue
    keys.set(entry.accepted.id, entry.accepted.secret)
  }
  return [...keys].map(([id, secret]) => ({ id, secret }))
}

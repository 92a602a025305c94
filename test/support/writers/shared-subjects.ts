// What the writing clients write for others: sends of an organization, and their part in somebody else's activity.
import { expect } from 'vitest'
import { acceptedIn, type Entry, expectAllAdded, type Subject, unansweredIn } from './log.ts'
import { listedValues } from './subjects.ts'

export const organizationSends: Subject = {
  next: () => ({ op: 'send' }),
  send: (api, { orgKey }, { value }) => api.post('/notifications', { title: `Org ${value}`, body: 'B' }, orgKey),
  read: ({ body }) => ({ id: String(body.id) }),
  async check(api, { orgKey }, log) {
    expectAllAdded(log, await listedValues(api, '/notifications', String(orgKey), 'Org '), 'sends of the organization')
  },
}

export const shares: Subject = {
  next(log) {
    const share = currentShare(log)
    return share === undefined ? { op: 'join' } : { op: 'leave', target: share }
  },
  send(api, { token, joinCode }, { op, target }) {
    return op === 'join' ? api.post('/shares/join', { code: joinCode }, token) : api.del(`/shares/${target}`, token)
  },
  read: ({ body }, { op }) => (op === 'join' ? { id: body.id } : {}),
  async check(api, { token }, log) {
    // Those that are given are the parts of others in the writer's activity.
    const { items: all } = (await api.get('/shares', token)).body as { items: { id: string; direction: string }[] }
    const items = all.filter(({ direction }) => direction === 'received')
    if (unansweredIn(log) === undefined) {
      const share = currentShare(log)
      expect(
        items.map(({ id }) => id),
        'shares',
      ).toEqual(share === undefined ? [] : [share])
    } else expect(items.length, 'shares').toBeLessThanOrEqual(1)
  },
}

function currentShare(log: Entry[]): string | undefined {
  const last = acceptedIn(log).at(-1)
  return last?.op === 'join' ? last.accepted?.id : undefined
}

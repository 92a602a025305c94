// The unread count and event numbers are maintained incrementally: they must stay correct under concurrent changes.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()

type Step = { what: 'send'; push: boolean } | { what: 'read' | 'delete'; which: number } | { what: 'read all' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('send' as const), push: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('read' as const), which: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('delete' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.constant({ what: 'read all' as const }) },
)

async function take(node: (typeof nodes)['first'], { token }: TestUser, ids: number[], step: Step): Promise<void> {
  const id = 'which' in step ? ids[step.which % Math.max(ids.length, 1)] : undefined
  if (step.what === 'send') {
    ids.push((await node.post('/notifications', { title: 'T', body: 'B', push: step.push }, token)).body.id)
  } else if (step.what === 'read all') await node.post('/notifications/read', { all: true }, token)
  else if (step.what === 'read') await node.post('/notifications/read', { ids: id ? [id] : [] }, token)
  else if (id) await node.del(`/notifications/${id}`, token)
}

async function unreadRows({ userId }: TestUser): Promise<number> {
  const rows = await nodes.first.app.ctx.db.read.all(
    sql`select id from notifications where user_id = ${userId} and read_at is null`,
  )
  return rows.length
}

const unreadCount = async ({ token }: TestUser): Promise<number> =>
  (await nodes.first.get('/notifications/unread-count', token)).body.count

// The steps of a batch run concurrently on all nodes; the next batch starts when all are done.
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 })

describe('an account with concurrent changes', () => {
  test('has an unread count equal to its unread rows after every batch', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (history) => {
        const user = await nodes.first.addUser()
        const ids: number[] = []
        for (const batch of history) {
          await nodes.atOnce(batch.length, (node, index) => take(node, user, ids, batch[index] as Step))
          expect(await unreadCount(user)).toBe(await unreadRows(user))
        }
      }),
      { numRuns: 25 },
    )
  })

  test('has events numbered from 1 without a gap', async () => {
    const user = await nodes.first.addUser()
    const ids: number[] = []
    const steps = fc.sample(step, 60)
    await nodes.atOnce(steps.length, (node, index) => take(node, user, ids, steps[index] as Step))
    const rows = await nodes.first.app.ctx.db.read.all<{ number: number }>(
      sql`select number from events where user_id = ${user.userId} order by number`,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
    expect(rows.length).toBeGreaterThanOrEqual(ids.length)
  })
})

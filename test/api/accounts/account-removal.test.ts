// `heliograph user delete`: in batches, without leftovers, and the account is unusable from the first batch on.
import { beforeEach, describe, expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/caller.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import type { Context } from '../../../src/operations/context.ts'
import type { Writer } from '../../../src/store/engine/database.ts'
import { fragment, sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { fillInbox } from '../../support/filled-inbox.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { addActivity, addCode, join, share } from '../../support/shares.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const all = <Row>(query: Parameters<Writer['all']>[0]) => app.app.ctx.db.read.all<Row>(query)

// Every table with a column `user_id`, read from the schema, so that later tables are included.
async function tablesOfUsers(): Promise<string[]> {
  const rows = await all<{ name: string }>(
    isPostgres()
      ? sql`select table_name as name from information_schema.columns
          where table_schema = 'public' and column_name = 'user_id' order by name`
      : sql`select m.name from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' and c.name = 'user_id' order by m.name`,
  )
  return rows.map(({ name }) => name)
}

async function rowsOf(userId: UserId): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of await tablesOfUsers()) {
    const [row] = await all<{ count: number }>(
      sql`select count(*) as count from ${fragment(name)} where user_id = ${userId}`,
    )
    if (row && row.count > 0) counts[name] = row.count
  }
  return counts
}

// The same context, recording how many rows each statement deletes; `before` runs ahead of each transaction, `deleting` in
// each deletion.
function watched(before: (transaction: number) => unknown = () => {}, deleting = () => {}) {
  const deletions: number[] = []
  let transactions = 0
  const { ctx } = app.app
  const watch = (tx: Writer): Writer => ({
    ...tx,
    execute: async (query) => {
      const changed = await tx.execute(query)
      deletions.push(changed)
      return changed
    },
    all: async <Row>(query: Parameters<Writer['all']>[0]) => {
      const rows = await tx.all<Row>(query)
      if (!query.strings[0]?.startsWith('delete')) return rows
      deletions.push(rows.length)
      deleting()
      return rows
    },
  })
  const transact: Context['db']['transact'] = async (work, options) => {
    await before(++transactions)
    return ctx.db.transact((tx) => work(watch(tx)), options)
  }
  return { ctx: { ...ctx, db: { ...ctx.db, transact } }, deletions }
}

async function useEverything(one: TestUser) {
  const { token, userId } = one
  const message = { title: 'T', body: 'B', actions: [{ id: 'ok', title: 'OK' }] }
  const later = new Date(app.clock.now() + 3_600_000).toISOString()
  const answers = [
    await app.post('/notifications', { ...message, acknowledge: {} }, token),
    await app.call('POST', '/notifications', { token, body: message, headers: { 'idempotency-key': 'once' } }),
    await app.post('/notifications/scheduled', { ...message, send_at: later }, token),
    await app.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 1 } }, token),
    await app.post('/activities', { slug: 'a', name: 'A' }, token),
    await app.post('/notifications/read', { all: true }, token),
    await app.put('/devices/phone', { name: 'Phone', platform: 'ios' }, token),
  ]
  expect(answers.filter(({ status }) => status >= 300)).toEqual([])
  const friend = await app.addUser()
  await addActivity(app, friend, 'theirs')
  await share(app, { owner: one, recipient: friend, what: 'a' })
  await share(app, { owner: friend, recipient: one, what: 'theirs' })
  await addCode(app, one, '*')
  await fillInbox(app.app.ctx.db, userId, { count: 1200, firstAt: 0 })
  await fillInbox(app.app.ctx.db, userId, { count: 700, firstAt: 0, read: true })
}

describe('deleting an account', () => {
  test('leaves no row of it in any table, and those of another account unchanged', async () => {
    const neighbour = await app.addUser()
    for (const one of [user, neighbour]) await useEverything(one)
    // The worker writes the counts every few seconds.
    await app.app.ctx.dailyCounts.flush()
    const before = await rowsOf(neighbour.userId)
    const used = ['activities', 'answers', 'devices', 'events', 'feeds', 'idempotency_keys', 'integration_keys']
    const alsoUsed = ['join_codes', 'notifications', 'receipts', 'schedules', 'shares']
    const usedToo = ['timeline', 'tokens', 'usage', 'widgets']
    expect(Object.keys(before)).toEqual(expect.arrayContaining([...used, ...alsoUsed, ...usedToo]))
    await removeUser(app.app.ctx, user.name)
    expect(await rowsOf(user.userId)).toEqual({})
    expect(await rowsOf(neighbour.userId)).toEqual(before)
    expect(
      await all(sql`select notification_id from notification_contents
      where notification_id not in (select id from notifications)`),
    ).toEqual([])
    expect(await all(sql`select id from shares where recipient_id = ${user.userId}`)).toEqual([])
    expect(await all(sql`select id from users where id = ${user.userId}`)).toEqual([])
  })

  test('runs in many small transactions: no statement deletes more than 500 rows', async () => {
    await useEverything(user)
    const { ctx, deletions } = watched()
    await removeUser(ctx, user.name)
    expect(Math.max(...deletions)).toBe(500)
    expect(deletions.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1900)
  })

  test('deletes fewer rows at once while a batch takes long', async () => {
    await fillInbox(app.app.ctx.db, user.userId, { count: 1200, firstAt: 0 })
    const { ctx, deletions } = watched(
      () => {},
      () => app.clock.advanceSeconds(0.004),
    )
    await removeUser(ctx, user.name)
    expect(Math.max(...deletions)).toBe(100)
  })

  test('deletes fewer rows per statement when they are large', async () => {
    await fillInbox(app.app.ctx.db, user.userId, { count: 100, firstAt: 0 })
    await app.app.ctx.db.transact((tx) =>
      tx.execute(sql`update notifications set bytes = 90000 where user_id = ${user.userId}`),
    )
    const { ctx, deletions } = watched()
    await removeUser(ctx, user.name)
    expect(Math.max(...deletions)).toBe(23)
  })

  test('revokes its tokens first, and a second run finishes an interrupted one', async () => {
    await useEverything(user)
    const { ctx } = watched((transaction) => {
      if (transaction === 3) throw new Error('the process stops here')
    })
    await expect(removeUser(ctx, user.name)).rejects.toThrow('the process stops here')
    for (const token of [user.token, user.defaultKey])
      expectProblem(await app.get('/auth/me', token), 401, 'token.invalid')
    expect((await rowsOf(user.userId)).notifications).toBeGreaterThan(1000)
    await removeUser(app.app.ctx, user.name)
    expect(await rowsOf(user.userId)).toEqual({})
  })

  test('refuses its share codes from the first transaction on, so that nobody joins what is about to be deleted', async () => {
    await addActivity(app, user, 'build', { state: 'ongoing' })
    const code = await addCode(app, user, 'build')
    const { ctx } = watched((transaction) => {
      if (transaction === 2) throw new Error('the process stops here')
    })
    await expect(removeUser(ctx, user.name)).rejects.toThrow('the process stops here')
    expectProblem(await join(app, await app.addUser(), code), 410, 'share.code_invalid')
  })

  test('also deletes rows that a concurrent send stores during the deletion', async () => {
    await fillInbox(app.app.ctx.db, user.userId, { count: 3, firstAt: 0 })
    const { ctx } = watched(async (transaction) => {
      if (transaction === 5) await fillInbox(app.app.ctx.db, user.userId, { count: 2, firstAt: 0 })
    })
    await removeUser(ctx, user.name)
    expect(await rowsOf(user.userId)).toEqual({})
  })

  test('ends memberships; an organization with nobody else in it goes with the person', async () => {
    const { path, id, owner, members } = await createOrganization(app)
    await removeUser(app.app.ctx, members[0]!.name)
    expect((await app.get(path, owner.token)).body.member_count).toBe(2)
    expect(await all(sql`select data from events where user_id = ${id} and type = 'org.member_left'`)).toHaveLength(1)
    const alone = await app.addUser()
    const own = (await app.post('/orgs', { name: 'Alone' }, alone.token)).body.id
    await removeUser(app.app.ctx, alone.name)
    await app.runDueJobs()
    expect(await all(sql`select id from users where id = ${own}`)).toEqual([])
  })

  test('is refused for the last owner of an organization with other members, and changes nothing', async () => {
    const { path, owner, admin } = await createOrganization(app)
    const other = (await app.post('/orgs', { name: 'A, alone' }, owner.token)).body.id
    await expect(removeUser(app.app.ctx, owner.name)).rejects.toThrow('last owner of the organization "Example"')
    expect((await app.get(`/orgs/${other}`, owner.token)).status).toBe(200)
    await app.patch(`${path}/members/${admin.userId}`, { role: 'owner' }, owner.token)
    await removeUser(app.app.ctx, owner.name)
    expect((await app.get(path, admin.token)).body).toMatchObject({ role: 'owner', member_count: 2 })
  })

  test.skipIf(isPostgres())('every table that refers to an account has an index for it', async () => {
    const unindexed = await all(sql`select m.name from sqlite_master m join pragma_foreign_key_list(m.name) f
      where m.type = 'table' and f."table" = 'users' and not exists
        (select 1 from pragma_index_list(m.name) i join pragma_index_info(i.name) c
          where i.partial = 0 and c.seqno = 0 and c.name = f."from")`)
    expect(unindexed).toEqual([])
  })
})

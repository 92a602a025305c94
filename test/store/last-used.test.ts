// The time of a key's last use is written at most once a minute per key.
import { beforeEach, describe, expect, test } from 'vitest'
import type { KeyCaller } from '../../src/domain/caller.ts'
import { type Instant, instant } from '../../src/domain/instant.ts'
import { CONTRACT_PLANS } from '../../src/domain/plans.ts'
import { createLastUsed } from '../../src/operations/last-used.ts'
import type { Database, Writer } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { findKeyCaller } from '../../src/store/keys.ts'
import { openTestDatabase } from '../support/database/open-database.ts'

let db: Database
beforeEach(async () => {
  db = (await openTestDatabase()).db
  await db.transact((tx) =>
    tx.execute(sql`insert into users (id, name, plan, created_at) values ('u', 'u', 'free', 0)`),
  )
})

async function addKey(id: string): Promise<KeyCaller> {
  await db.transact((tx) =>
    tx.execute(sql`insert into integration_keys (id, user_id, hash, name, is_default, permissions, activity_slugs,
      widget_slugs, created_at) values (${id}, 'u', ${id}, ${id}, 0, '{}', '[]', '[]', 0)`),
  )
  const found = await findCaller(id)
  if (!found) throw new Error('the key just inserted is not there')
  return { ...found.caller, plan: CONTRACT_PLANS.named(found.caller.plan) }
}

const findCaller = (id: string) => findKeyCaller(db.read, id as never)
const lastUses = async () =>
  (await db.read.all<{ at: Instant | null }>(sql`select last_used_at as at from integration_keys order by id`)).map(
    ({ at }) => at,
  )
const clearLastUses = () => db.transact((tx) => tx.execute(sql`update integration_keys set last_used_at = null`))

const MINUTE = instant(60_000)
const within = (seconds: number) => instant(MINUTE + seconds * 1000)

describe('last use of keys', () => {
  test('C19 each key is written once a minute, whichever other keys are used in that minute', async () => {
    const [a, b] = [await addKey('a'), await addKey('b')]
    const lastUsed = createLastUsed(db)
    for (const caller of [a, b]) {
      lastUsed.note(caller, within(1))
      await lastUsed.flush()
    }
    expect(await lastUses()).toEqual([MINUTE, MINUTE])
    await clearLastUses()
    for (const seconds of [10, 20, 30]) {
      for (const caller of [a, b]) {
        lastUsed.note(caller, within(seconds))
        await lastUsed.flush()
      }
    }
    expect(await lastUses()).toEqual([null, null])
    lastUsed.note(b, within(60))
    await lastUsed.flush()
    expect(await lastUses()).toEqual([null, within(60)])
  })

  test('a use that could not be written is written with the next', async () => {
    const a = await addKey('a')
    const lastUsed = createLastUsed(db)
    await db.transact((tx) => tx.execute(sql`alter table integration_keys rename to lost`))
    lastUsed.note(a, within(1))
    await expect(lastUsed.flush()).rejects.toThrow()
    await db.transact((tx) => tx.execute(sql`alter table lost rename to integration_keys`))
    await lastUsed.flush()
    expect(await lastUses()).toEqual([MINUTE])
  })

  test('keys are written in the order of their ids, so that two nodes do not deadlock', async () => {
    const [b, a] = [await addKey('b'), await addKey('a')]
    const written: unknown[] = []
    const record = (tx: Writer): Writer => ({
      ...tx,
      queue(query) {
        written.push(query.parts.at(-1))
        tx.queue(query)
      },
    })
    const lastUsed = createLastUsed({ ...db, transact: (work) => db.transact((tx) => work(record(tx))) })
    lastUsed.note(b, within(1))
    lastUsed.note(a, within(1))
    await lastUsed.flush()
    expect(written).toEqual(['a', 'b'])
  })
})

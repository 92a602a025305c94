// 0033: mutes from before hold pushes as they did, and hooks from before get the default shield.
import { expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { findUser } from '../../src/store/accounts/accounts.ts'
import { MIGRATIONS, migrate } from '../../src/store/engine/migrate.ts'
import { sql } from '../../src/store/engine/sql.ts'
import { findHook } from '../../src/store/hooks/hooks.ts'
import { findKey } from '../../src/store/integration-keys.ts'
import { createEmptyDatabase, openNode } from '../support/database/open-database.ts'

test('accounts with mutes are marked, hooks have a limit of 30, keys have none', async () => {
  const db = await openNode(await createEmptyDatabase())
  await migrate(
    db,
    MIGRATIONS.filter(({ name }) => name < '0033'),
  )
  const [ada, ben] = ['ada', 'ben'] as [UserId, UserId]
  await db.transact(async (tx) => {
    for (const id of [ada, ben]) {
      await tx.execute(sql`insert into users (id, name, plan, created_at) values (${id}, ${id}, 'paid', 0)`)
    }
    await tx.execute(sql`insert into mutes (id, user_id, kind, value, until, created_at)
      values ('m', ${ada}, 'source', 'ci', 1, 0)`)
    await tx.execute(sql`insert into integration_keys (id, user_id, hash, name, is_default, permissions, activity_slugs,
        widget_slugs, created_at)
      values ('k', ${ada}, 'h', 'K', 0, '{}', '[]', '[]', 0)`)
    await tx.execute(sql`insert into hooks (id, user_id, key_id, name, kind, hash, options, requests, created_at)
      values ('w', ${ada}, 'k', 'W', 'auto', 'h', '{}', 0, 0)`)
  })
  await migrate(db)
  const isMarked = async (id: UserId) => (await findUser(db.read, id))?.holdsPushes
  expect([await isMarked(ada), await isMarked(ben)]).toEqual([true, false])
  expect((await findHook(db.read, ada, 'w'))?.stormLimit).toBe(30)
  expect((await findKey(db.read, ada, 'k'))?.stormLimit).toBeNull()
})

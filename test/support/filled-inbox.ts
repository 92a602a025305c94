// Writes many inbox entries directly to the database: sending thousands over the API would take too long.
import type { UserId } from '../../src/domain/caller.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'

export type Filling = { count: number; firstAt: number; apartMs?: number; read?: boolean; source?: string }

// Titles are "Entry 1" to "Entry <count>", oldest first.
export async function fillInbox(db: Database, userId: UserId, filling: Filling): Promise<void> {
  const { count, firstAt, apartMs = 1000, read = false, source = 'filling' } = filling
  const lastAt = firstAt + count * apartMs
  await db.transact(async (tx) => {
    const newest = await tx.first<{ id: number }>(sql`select coalesce(max(id), 0) as id from notifications`)
    const before = newest?.id ?? 0
    await tx.run(sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into notifications (user_id, level, source, pushed, bytes, created_at, read_at)
      select ${userId}, 'active', ${source}, 0, 100, cast(${firstAt} as bigint) + n * cast(${apartMs} as bigint),
        cast(${read ? lastAt : null} as bigint)
      from numbers order by n`)
    // SQLite binds numbers as reals, whose text would be "1.0".
    const number = sql`cast(id - ${before} as bigint)`
    await tx.run(sql`insert into notification_contents (notification_id, search_text, content)
      select id, 'entry ' || ${number}, '{"title":"Entry ' || ${number} || '","body":"B"}'
      from notifications where user_id = ${userId} and id > ${before}`)
    const unread = read ? 0 : count
    await tx.run(sql`insert into feeds (user_id, last_event, unread, inbox_bytes)
      values (${userId}, 0, ${unread}, ${count * 100})
      on conflict (user_id) do update set unread = feeds.unread + ${unread},
        inbox_bytes = feeds.inbox_bytes + ${count * 100}`)
  })
}

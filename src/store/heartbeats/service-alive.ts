// When a node that listens for requests was last alive.
import { type Instant, instant } from '../../domain/instant.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { FOR_UPDATE, sql } from '../engine/sql.ts'

// Undefined if it was never stamped.
export async function findStamp(db: Reader): Promise<Instant | undefined> {
  return toStamp(await db.first<StampRow>(sql`select stamped_at from service_alive where id = 1`))
}

// Locks the row until the commit, so that a standstill is noticed once.
export async function findStampForUpdate(tx: Writer): Promise<Instant | undefined> {
  return toStamp(await tx.first<StampRow>(sql`select stamped_at from service_alive where id = 1 ${FOR_UPDATE}`))
}

export async function stampAlive(tx: Writer, now: Instant): Promise<void> {
  tx.queue(sql`insert into service_alive (id, stamped_at) values (1, ${now})
    on conflict (id) do update set stamped_at = excluded.stamped_at`)
}

type StampRow = { stamped_at: number }

const toStamp = (row: StampRow | undefined): Instant | undefined => row && instant(row.stamped_at)

// What the nodes of a server share beside the data of accounts: secrets, which channels they have, and clocks.
import { type Instant, instant } from '../domain/instant.ts'
import type { RetentionClock } from '../domain/retention-clock.ts'
import type { Database, Reader, Writer } from './engine/database.ts'
import { FOR_UPDATE, sql } from './engine/sql.ts'

// Secrets that all nodes on one PostgreSQL share. The first node to start stores them.

export async function findSecret(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.first<{ value: string }>(sql`select value from server_secrets where name = ${name}`)
  return row?.value
}

// Stores the secret unless another node has stored one, and returns the stored one.
export async function agreeOnSecret(db: Database, name: string, proposal: string): Promise<string> {
  return db.transact(async (tx) => {
    await insertSecretUnlessTaken(tx, name, proposal)
    const agreed = await findSecret(tx, name)
    if (agreed === undefined) throw new Error(`the secret ${name} was not stored`)
    return agreed
  })
}

export async function insertSecretUnlessTaken(tx: Writer, name: string, secret: string): Promise<void> {
  await tx.execute(
    sql`insert into server_secrets (name, value) values (${name}, ${secret}) on conflict (name) do nothing`,
  )
}

// When a node with a given channel was last seen. Used only if several nodes share a database.

export type NodeChannel = 'apns' | 'bark' | 'smtp'

export const CHANNEL_NODES_TOPIC = 'channel-nodes'

export async function recordChannelNode(tx: Writer, channel: NodeChannel, now: Instant): Promise<void> {
  tx.queue(sql`insert into channel_nodes (channel, seen_at) values (${channel}, ${now})
    on conflict (channel) do update set seen_at = excluded.seen_at`)
  tx.signal(CHANNEL_NODES_TOPIC)
}

export async function findChannelNodeSeenAt(db: Reader, channel: NodeChannel): Promise<Instant | undefined> {
  const row = await db.first<{ seen_at: number }>(sql`select seen_at from channel_nodes where channel = ${channel}`)
  return row && instant(row.seen_at)
}

// When retention last ran, and from when on it trusts the clock.

export async function findRetentionClock(db: Reader): Promise<RetentionClock | undefined> {
  const row = await db.first<{ last_run_at: number; trusted_from: number }>(
    sql`select last_run_at, trusted_from from retention_clock where id = 1`,
  )
  return row && { lastRunAt: instant(row.last_run_at), trustedFrom: instant(row.trusted_from) }
}

export async function saveRetentionClock(tx: Writer, { lastRunAt, trustedFrom }: RetentionClock): Promise<void> {
  tx.queue(sql`insert into retention_clock (id, last_run_at, trusted_from) values (1, ${lastRunAt}, ${trustedFrom})
    on conflict (id) do update set last_run_at = excluded.last_run_at, trusted_from = excluded.trusted_from`)
}

// When a node that listens for requests was last alive.

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

// When a node with a given channel was last seen. Used only if several nodes share a database.
import { type Instant, instant } from '../domain/instant.ts'
import type { Reader, Writer } from './engine/database.ts'
import { sql } from './engine/sql.ts'

export type NodeChannel = 'apns' | 'smtp'

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

// Widgets of an account by slug, and by id for the reload job.
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import type { Widget, WidgetId } from '../../domain/widgets/widget.ts'
import { collection } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, IN_BYTE_ORDER, sql } from '../engine/sql.ts'

const COLUMNS = fragment(`id, user_id, slug, name, content, push_throttle_seconds, stale_after_seconds, last_pushed_at,
  created_at, updated_at`)

const TABLE = { table: 'widgets', columns: COLUMNS, order: sql`slug ${IN_BYTE_ORDER}` }
const bySlug = collection({ ...TABLE, name: 'slug' }, toWidget)

export const {
  findForUpdate: findWidgetForUpdate,
  list: listWidgets,
  count: countWidgets,
  remove: deleteWidget,
} = bySlug
export const { find: findWidgetById } = collection<WidgetRow, Widget, WidgetId>({ ...TABLE, name: 'id' }, toWidget)

// Cached, because devices read a widget far more often than it changes.
export const findWidget = (db: Reader, userId: UserId, slug: string): Promise<Widget | undefined> =>
  db.cached(bySlug.select(userId, slug), ([row]: WidgetRow[]) => row && toWidget(row))

export async function insertWidget(tx: Writer, widget: Widget): Promise<void> {
  tx.queue(sql`insert into widgets (id, user_id, slug, name, content, push_throttle_seconds, stale_after_seconds,
      last_pushed_at, created_at, updated_at)
    values (${widget.id}, ${widget.userId}, ${widget.slug}, ${widget.name}, ${JSON.stringify(widget.content)},
      ${widget.pushThrottleSeconds}, ${widget.staleAfterSeconds}, ${widget.lastPushedAt}, ${widget.createdAt},
      ${widget.updatedAt})`)
}

export async function updateWidget(tx: Writer, widget: Widget): Promise<void> {
  tx.queue(sql`update widgets set name = ${widget.name}, content = ${JSON.stringify(widget.content)},
      push_throttle_seconds = ${widget.pushThrottleSeconds}, stale_after_seconds = ${widget.staleAfterSeconds},
      updated_at = ${widget.updatedAt}
    where user_id = ${widget.userId} and id = ${widget.id}`)
}

// Returns false if another node has pushed within the window.
export async function takePushWindow(tx: Writer, widget: Widget, now: Instant): Promise<boolean> {
  const changed = await tx.execute(sql`update widgets set last_pushed_at = ${now}
    where user_id = ${widget.userId} and id = ${widget.id}
      and coalesce(last_pushed_at, 0) = ${widget.lastPushedAt ?? 0}`)
  return changed === 1
}

type WidgetRow = {
  id: WidgetId
  user_id: UserId
  slug: string
  name: string
  content: string
  push_throttle_seconds: number | null
  stale_after_seconds: number | null
  last_pushed_at: number | null
  created_at: number
  updated_at: number
}

function toWidget(row: WidgetRow): Widget {
  return {
    id: row.id,
    userId: row.user_id,
    slug: row.slug,
    name: row.name,
    content: JSON.parse(row.content),
    pushThrottleSeconds: row.push_throttle_seconds,
    staleAfterSeconds: row.stale_after_seconds,
    lastPushedAt: instantOrNull(row.last_pushed_at),
    createdAt: instant(row.created_at),
    updatedAt: instant(row.updated_at),
  }
}

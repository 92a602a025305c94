// Widgets of an account by slug, and by id for the reload job.
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Widget, WidgetId } from '../../domain/widgets/widget.ts'
import { collection } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, rowsOf } from '../engine/rows.ts'
import { IN_BYTE_ORDER, sql } from '../engine/sql.ts'

const ROWS = rowsOf<Widget>('widgets', {
  id: 'id',
  userId: 'user_id',
  slug: 'slug',
  name: 'name',
  content: json('content'),
  pushThrottleSeconds: 'push_throttle_seconds',
  staleAfterSeconds: 'stale_after_seconds',
  lastPushedAt: 'last_pushed_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
})

export const {
  findForUpdate: findWidgetForUpdate,
  list: listWidgets,
  count: countWidgets,
  remove: deleteWidget,
} = collection(ROWS, { name: 'slug', order: sql`slug ${IN_BYTE_ORDER}` })

export const findWidgetById = (db: Reader, userId: UserId, id: WidgetId): Promise<Widget | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and id = ${id}`)

// Cached, because devices read a widget far more often than it changes.
export const findWidget = (db: Reader, userId: UserId, slug: string): Promise<Widget | undefined> =>
  ROWS.firstCached(db, sql`where user_id = ${userId} and slug = ${slug}`)

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

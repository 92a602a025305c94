// Keeps the status of a heartbeat as a widget. The server changes it by itself, so it costs no quota. The events are
// returned: the feed is the last row that a transaction locks.

import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import { type Heartbeat, statusContent, widgetSlug } from '../../domain/heartbeats/heartbeat.ts'
import { type Instant, instant, later } from '../../domain/instant.ts'
import type { Plan } from '../../domain/plans.ts'
import type { Widget, WidgetId } from '../../domain/widgets/widget.ts'
import { newUuid } from '../../runtime/ids.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import {
  countWidgets,
  deleteWidget,
  findWidgetForUpdate,
  insertWidget,
  updateWidget,
} from '../../store/widgets/widgets.ts'
import { enqueueReload } from '../widgets/reload.ts'

// Creates the widget again if somebody has deleted it, unless the account has no room for it.
export async function keepWidget(tx: Writer, heartbeat: Heartbeat, plan: Plan, now: Instant): Promise<NewEvent[]> {
  const slug = widgetSlug(heartbeat.slug)
  const existing = await findWidgetForUpdate(tx, heartbeat.userId, slug)
  if (!existing && !(await hasRoom(tx, { userId: heartbeat.userId, plan }))) return []
  const widget = { ...(existing ?? newWidget(heartbeat, now)), ...shownAs(heartbeat) }
  if (existing) {
    const updatedAt = later(now, instant(existing.updatedAt + 1))
    await updateWidget(tx, { ...widget, updatedAt })
    await enqueueReload(tx, widget, now)
  } else await insertWidget(tx, widget)
  return [{ type: 'widget.updated', at: now, data: { slug } }]
}

export async function dropWidget(
  tx: Writer,
  { userId, slug }: Pick<Heartbeat, 'userId' | 'slug'>,
  now: Instant,
): Promise<NewEvent[]> {
  const ofWidget = widgetSlug(slug)
  if (!(await deleteWidget(tx, userId, ofWidget))) return []
  return [{ type: 'widget.deleted', at: now, data: { slug: ofWidget } }]
}

// The caller holds the lock of the account.
export async function requireRoomForWidget(tx: Writer, owner: Owner, slug: string): Promise<void> {
  if ((await findWidgetForUpdate(tx, owner.userId, widgetSlug(slug))) || (await hasRoom(tx, owner))) return
  throw new Problem(
    'widget.limit_exceeded',
    `An account has at most ${owner.plan.caps.widgets} widgets; delete one first.`,
  )
}

type Owner = Pick<Caller, 'userId' | 'plan'>

const hasRoom = async (db: Reader, { userId, plan }: Owner): Promise<boolean> =>
  (await countWidgets(db, userId)) < plan.caps.widgets

const shownAs = (heartbeat: Heartbeat) => ({ name: heartbeat.settings.name, content: statusContent(heartbeat) })

const newWidget = (heartbeat: Heartbeat, now: Instant): Widget => ({
  id: newUuid() as WidgetId,
  userId: heartbeat.userId,
  slug: widgetSlug(heartbeat.slug),
  ...shownAs(heartbeat),
  pushThrottleSeconds: null,
  staleAfterSeconds: null,
  lastPushedAt: null,
  createdAt: now,
  updatedAt: now,
})

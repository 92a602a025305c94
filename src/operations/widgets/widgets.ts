// Widgets: put, patch, read and remove. Every change enqueues one reload for the devices.
import { Problem } from '../../contract/problems.ts'
import type { WidgetInput, WidgetPatch } from '../../contract/widgets.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import type { QuotaEffect } from '../../domain/accounts/quota.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { type Instant, instant, later } from '../../domain/instant.ts'
import { reachesSlug, requireLevel, requireSlug } from '../../domain/permissions.ts'
import {
  isSameWidget,
  newWidgetContent,
  patchedWidgetContent,
  type Widget,
  type WidgetId,
} from '../../domain/widgets/widget.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import {
  countWidgets,
  deleteWidget,
  findWidget,
  findWidgetForUpdate,
  insertWidget,
  listWidgets,
  updateWidget,
} from '../../store/widgets/widgets.ts'
import type { DryRunEffects } from '../../views/dry-run.ts'
import type { Context } from '../context.ts'
import { charge, quotaEffect } from '../quota.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { enqueueReload } from './reload.ts'

type SavedWidget = { widget: Widget; action: 'created' | 'updated'; quota?: QuotaEffect }

// Only a dry run has `effects`.
export type WidgetChange = Omit<SavedWidget, 'quota'> & { effects?: DryRunEffects }

export async function putWidget(
  ctx: Context,
  caller: Caller,
  input: WidgetInput,
  mode: ChangeMode,
): Promise<WidgetChange> {
  requireLevel(caller, 'widgets', 'write')
  requireSlug(caller, 'widgets', input.slug)
  const now = ctx.clock.now()
  const content = newWidgetContent(input.content, now)
  const change = { caller, mode, now }
  const saved = await transactOrRehearse(ctx, mode, async (tx) => {
    const fields = {
      name: input.name,
      content,
      pushThrottleSeconds: input.push_throttle ?? null,
      staleAfterSeconds: input.stale_after ?? null,
    }
    const existing = await findWidgetForUpdate(tx, caller.userId, input.slug)
    if (existing) return saveChange(tx, change, existing, { ...existing, ...fields })
    await lockUser(tx, caller.userId)
    // Another request may have created it while this one waited for the lock.
    const created = await findWidgetForUpdate(tx, caller.userId, input.slug)
    if (created) return saveChange(tx, change, created, { ...created, ...fields })
    return insertNew(tx, caller, { slug: input.slug, ...fields }, now)
  })
  return withEffects(ctx, mode, saved)
}

export async function patchWidget(
  ctx: Context,
  caller: Caller,
  slug: string,
  { patch, mode }: { patch: WidgetPatch; mode: ChangeMode },
): Promise<WidgetChange> {
  requireLevel(caller, 'widgets', 'write')
  requireSlug(caller, 'widgets', slug)
  const now = ctx.clock.now()
  const change = async (tx: Writer, before?: SavedWidget) => {
    const current = before?.widget ?? (await findWidgetForUpdate(tx, caller.userId, slug))
    if (!current) throw widgetNotFound(slug)
    return saveChange(tx, { caller, mode, now }, current, patchedWidget(current, patch, now))
  }
  const saved = await transactOrRehearse(ctx, mode, change, {
    group: { kind: 'widget', account: caller.userId, row: slug },
  })
  return withEffects(ctx, mode, saved)
}

// The read of a widget that began while the token was checked, for the account that sent the token before.
export type BegunRead = { userId: UserId; widget: Promise<Widget | undefined> }

export function beginReading(ctx: Context, userId: UserId, slug: string): BegunRead {
  const widget = findWidget(ctx.db.read, userId, slug)
  // Nobody awaits it if the token is refused.
  widget.catch(() => {})
  return { userId, widget }
}

export async function readWidget(ctx: Context, caller: Caller, slug: string, begun?: BegunRead): Promise<Widget> {
  requireLevel(caller, 'widgets', 'read')
  requireSlug(caller, 'widgets', slug)
  const isBegun = begun?.userId === caller.userId
  const widget = isBegun ? await begun.widget : await findWidget(ctx.db.read, caller.userId, slug)
  if (!widget) throw widgetNotFound(slug)
  return widget
}

// A key with a list of slugs sees only those.
export async function allWidgets(ctx: Context, caller: Caller): Promise<Widget[]> {
  requireLevel(caller, 'widgets', 'read')
  // In a slice, because fifty widgets of the largest size are megabytes.
  const widgets = await ctx.slices(caller.userId, () => listWidgets(ctx.db.read, caller.userId))
  return widgets.filter(({ slug }) => reachesSlug(caller, 'widgets', slug))
}

export async function removeWidget(ctx: Context, caller: Caller, slug: string): Promise<void> {
  requireLevel(caller, 'widgets', 'write')
  requireSlug(caller, 'widgets', slug)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    if (!(await deleteWidget(tx, caller.userId, slug))) throw widgetNotFound(slug)
    await appendEvent(tx, caller.userId, { type: 'widget.deleted', at: now, data: { slug } })
  })
}

type NewWidget = Pick<Widget, 'slug' | 'name' | 'content' | 'pushThrottleSeconds' | 'staleAfterSeconds'>

async function insertNew(tx: Writer, caller: Caller, fields: NewWidget, now: Instant): Promise<SavedWidget> {
  requireRoom(await countWidgets(tx, caller.userId), caller.plan.caps.widgets, 'widget.limit_exceeded', 'widgets')
  const id = newUuid() as WidgetId
  const widget: Widget = { id, userId: caller.userId, ...fields, lastPushedAt: null, createdAt: now, updatedAt: now }
  await insertWidget(tx, widget)
  await appendEvent(tx, caller.userId, { type: 'widget.updated', at: now, data: { slug: widget.slug } })
  return { widget, action: 'created' }
}

function patchedWidget(current: Widget, patch: WidgetPatch, now: Instant): Widget {
  return {
    ...current,
    name: patch.name ?? current.name,
    content: patch.content ? patchedWidgetContent(current.content, patch.content, now) : current.content,
    pushThrottleSeconds: patch.push_throttle === undefined ? current.pushThrottleSeconds : patch.push_throttle,
    staleAfterSeconds: patch.stale_after === undefined ? current.staleAfterSeconds : patch.stale_after,
  }
}

type ChangeRequest = { caller: Caller; mode: ChangeMode; now: Instant }

// Every change moves updated_at, even within one millisecond, and is pushed. A change to the same content is not
// counted: clients send it as a heartbeat so that the widget does not become stale.
async function saveChange(
  tx: Writer,
  { caller, mode, now }: ChangeRequest,
  before: Widget,
  after: Widget,
): Promise<SavedWidget> {
  const cost = isSameWidget(before, after) ? 0 : 1
  if (cost > 0) await charge(tx, caller, 'widget_updates', now)
  const widget = { ...after, updatedAt: later(now, instant(before.updatedAt + 1)) }
  await updateWidget(tx, widget)
  await enqueueReload(tx, widget, now)
  await appendEvent(tx, caller.userId, { type: 'widget.updated', at: now, data: { slug: widget.slug } })
  const quota = mode === 'dry_run' ? await quotaEffect(tx, caller, 'widget_updates', now, cost) : undefined
  return { widget, action: 'updated', quota }
}

function withEffects(ctx: Context, mode: ChangeMode, { quota, ...change }: SavedWidget): WidgetChange {
  if (mode === 'commit') return change
  const { action, widget } = change
  const pushes = action === 'updated' ? ctx.push.preview({ kind: 'widget-reload', widget }) : []
  return { ...change, effects: { pushes, quota } }
}

const widgetNotFound = (slug: string) => new Problem('widget.not_found', `There is no widget "${slug}".`)

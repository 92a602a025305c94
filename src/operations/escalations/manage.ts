// Creates, changes, reads and removes escalation policies, for people and programs that may schedule notifications.
import type { EscalationInput, EscalationPatch, EscalationStepInput } from '../../contract/escalations.ts'
import { Problem } from '../../contract/problems.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import {
  checkSteps,
  type Escalation,
  type EscalationId,
  type EscalationStep,
  stepLocation,
  toStep,
} from '../../domain/escalations.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireNoTarget } from '../../domain/notifications/draft.ts'
import {
  isLimited,
  limitOf,
  openInside,
  openTaken,
  openUsable,
  targetDenied,
} from '../../domain/organizations/limit.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import {
  countEscalations,
  deleteEscalation,
  findEscalation,
  insertEscalation,
  listEscalations,
  type TargetedEscalation,
  updateEscalation,
} from '../../store/escalations.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import type { Context } from '../context.ts'
import { requireMailServer } from '../emails/emails.ts'
import { requireVerified } from '../emails/store.ts'
import { orgCallerOf, readTarget } from '../targets.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { requireUnused } from './uses.ts'

export type PutEscalation = { escalation: Escalation; action: 'created' | 'updated' }

export async function allEscalations(ctx: Context, caller: Caller): Promise<Escalation[]> {
  requireLevel(caller, 'notifications', 'schedule')
  return (await listEscalations(ctx.db.read, caller.userId)).flatMap((found) => shownTo(caller, found) ?? [])
}

export async function readEscalation(ctx: Context, caller: Caller, slug: string): Promise<Escalation> {
  requireLevel(caller, 'notifications', 'schedule')
  return shownTo(caller, await findEscalation(ctx.db.read, caller.userId, slug)) ?? refuseUnknown(slug)
}

// A key that is limited to a part of the organization may name a policy without targets, so it reads it, but not where the
// policy of the whole organization sends its callbacks and e-mails.
function shownTo(caller: Caller, found: TargetedEscalation | undefined): Escalation | undefined {
  const limit = limitOf(caller)
  const usable = openUsable(limit, found)
  return openInside(limit, found) ?? (usable && { ...usable, steps: usable.steps.map(withoutAddresses) })
}

const withoutAddresses = ({ callbackUrl: _, emails: __, ...step }: EscalationStep): EscalationStep => step

// An existing policy of this slug gets the name and the steps.
export async function putEscalation(
  ctx: Context,
  caller: Caller,
  { slug, name, steps }: EscalationInput,
  mode: ChangeMode,
): Promise<PutEscalation> {
  checkRequest(ctx, caller, steps)
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, async (tx) => {
    // The lock keeps the number of policies, and who is in the groups of an organization.
    await lockUser(tx, caller.userId)
    const resolved = await resolveSteps(tx, caller, steps)
    requireOwnTarget(caller, resolved)
    const existing = openTaken(limitOf(caller), await findEscalation(tx, caller.userId, slug), slug)
    if (existing) {
      const escalation = await saveChanged(tx, { ...existing, name, steps: resolved }, now)
      return { escalation, action: 'updated' }
    }
    return { escalation: await insertNew(tx, caller, { slug, name, steps: resolved }, now), action: 'created' }
  })
}

export async function patchEscalation(
  ctx: Context,
  caller: Caller,
  slug: string,
  { patch, mode }: { patch: EscalationPatch; mode: ChangeMode },
): Promise<Escalation> {
  checkRequest(ctx, caller, patch.steps ?? [])
  const now = ctx.clock.now()
  return transactOrRehearse(ctx, mode, async (tx) => {
    await lockUser(tx, caller.userId)
    const existing = await requireChangeable(tx, caller, slug)
    const steps = patch.steps ? await resolveSteps(tx, caller, patch.steps) : existing.steps
    requireOwnTarget(caller, steps)
    return saveChanged(tx, { ...existing, name: patch.name ?? existing.name, steps }, now)
  })
}

export async function removeEscalation(
  ctx: Context,
  caller: Caller,
  slug: string,
  { force }: { force: boolean },
): Promise<void> {
  requireLevel(caller, 'notifications', 'schedule')
  const now = ctx.clock.now()
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    // Heartbeats and schedules that name the policy are stored under the same lock.
    await lockUser(tx, userId)
    await requireChangeable(tx, caller, slug)
    if (!force) await requireUnused(tx, { userId, slug })
    await deleteEscalation(tx, userId, slug)
    await appendEvent(tx, userId, { type: 'escalation.deleted', at: now, data: { slug } })
  })
}

async function requireChangeable(tx: Writer, caller: Caller, slug: string): Promise<Escalation> {
  const found = await findEscalation(tx, caller.userId, slug)
  const limit = limitOf(caller)
  const changeable = openInside(limit, found)
  if (changeable) return changeable
  if (openUsable(limit, found)) throw ofWholeOrganization()
  return refuseUnknown(slug)
}

// What a limited key makes has a target inside its limit, so that the key can change it later.
function requireOwnTarget(caller: Caller, steps: readonly EscalationStep[]): void {
  if (isLimited(caller) && !steps.some(({ targetIds }) => targetIds)) throw ofWholeOrganization()
}

const ofWholeOrganization = () =>
  targetDenied('A policy without targets is one of the whole organization, and this key is limited to a part of it.')

// The rules that need no database. A policy that sends e-mail needs the permission to.
function checkRequest(ctx: Context, caller: Caller, steps: readonly EscalationStepInput[]): void {
  requireLevel(caller, 'notifications', 'schedule')
  checkSteps(steps, ctx.config.outboundAllow)
  if (!steps.some(({ emails }) => emails)) return
  requireLevel(caller, 'emails', 'send')
  requireMailServer(ctx)
}

async function resolveSteps(
  db: Reader,
  caller: Caller,
  steps: readonly EscalationStepInput[],
): Promise<EscalationStep[]> {
  const organization = orgCallerOf(caller)
  const resolved: EscalationStep[] = []
  for (const [index, step] of steps.entries()) {
    if (!organization) requireNoTarget(step.target)
    const targetIds =
      organization && step.target
        ? await readTarget(db, organization, step.target, `${stepLocation(index)}.target`)
        : undefined
    for (const address of step.emails ?? []) await requireVerified(db, senderOf(caller), address)
    resolved.push(toStep(step, targetIds))
  }
  return resolved
}

async function saveChanged(tx: Writer, changed: Escalation, now: Instant): Promise<Escalation> {
  const saved = { ...changed, updatedAt: now }
  await updateEscalation(tx, saved)
  await appendUpdate(tx, saved, now)
  return saved
}

async function insertNew(
  tx: Writer,
  { userId, plan }: Caller,
  fields: Pick<Escalation, 'slug' | 'name' | 'steps'>,
  now: Instant,
): Promise<Escalation> {
  const most = plan.caps.escalations
  requireRoom(
    await countEscalations(tx, userId),
    most,
    'escalation.limit_exceeded',
    'escalation policies',
    'An account on this plan',
  )
  const escalation = { id: newUuid() as EscalationId, userId, ...fields, createdAt: now, updatedAt: now }
  await insertEscalation(tx, escalation)
  await appendUpdate(tx, escalation, now)
  return escalation
}

const appendUpdate = (tx: Writer, { userId, slug }: Escalation, at: Instant) =>
  appendEvent(tx, userId, { type: 'escalation.updated', at, data: { slug } })

function refuseUnknown(slug: string): never {
  throw new Problem('escalation.not_found', `There is no escalation policy "${slug}".`)
}

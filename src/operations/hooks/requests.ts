// The kept requests of a hook: lists them, carries one out again, and shows what a request would become.
import { Buffer } from 'node:buffer'
import type { HookPreviewInput } from '../../contract/hooks.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Hook, HookKind } from '../../domain/hooks/hook.ts'
import { type HookRun, isDropped } from '../../domain/hooks/message.ts'
import { isWanted, toNotification } from '../../domain/hooks/notification.ts'
import {
  asReceived,
  type HookOutcome,
  type HookRequest,
  isComplete,
  type KeptRequest,
} from '../../domain/hooks/request.ts'
import { plusSeconds } from '../../domain/instant.ts'
import type { IncomingNotification } from '../../domain/notifications/notification.ts'
import { requireKeyManager } from '../../domain/permissions.ts'
import { findRequest, listRequests } from '../../store/hooks/requests.ts'
import { findKeyHash } from '../../store/keys.ts'
import { authenticate } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { requireHook, requireTemplate } from './manage.ts'
import { readMessage, readRequest } from './read.ts'
import { report } from './receive.ts'

export async function keptRequests(ctx: Context, caller: Caller, id: string): Promise<KeptRequest[]> {
  requireKeyManager(caller)
  const { userId } = caller
  const hook = await requireHook(ctx.db.read, userId, id)
  return ctx.slices(userId, () => listRequests(ctx.db.read, userId, hook.id, keptSince(ctx)))
}

const keptSince = ({ clock }: Context) => plusSeconds(clock.now(), -LIMITS.hook.requestKeptDays * 86_400)

// By the hook as it is now. Its signature was checked when it came.
export async function replayRequest(ctx: Context, caller: Caller, id: string, number: number): Promise<HookOutcome> {
  requireKeyManager(caller)
  const { hook, request } = await requireKept(ctx, caller, id, number)
  const hash = await findKeyHash(ctx.db.read, hook.userId, hook.keyId)
  if (!hash) throw new Problem('hook.not_found', `There is no hook ${id}.`)
  const sender = await authenticate(ctx, { kind: 'hlk', hash })
  return report(ctx, sender, hook, await readRequest(ctx, hook, request))
}

export type HookPreviewed = {
  result: 'sent' | 'activity' | 'dropped'
  kind: HookKind
  detail?: string
  notifications: IncomingNotification[]
  run?: HookRun
}

export async function previewRequest(
  ctx: Context,
  caller: Caller,
  id: string,
  { request: what, headers, template }: HookPreviewInput,
): Promise<HookPreviewed> {
  requireKeyManager(caller)
  if (template) await requireTemplate(ctx, caller, template)
  const { hook, request } =
    typeof what === 'number'
      ? await requireKept(ctx, caller, id, what)
      : { hook: await requireHook(ctx.db.read, caller.userId, id), request: asRequest(what, headers) }
  const previewed: Hook = template ? { ...hook, kind: 'template', template } : hook
  const read = await readRequest(ctx, previewed, request)
  const { report, templateError } = await readMessage(ctx, previewed, read)
  const { kind } = read
  if (isDropped(report)) return { result: 'dropped', kind, detail: report.dropped, notifications: [] }
  if (!isWanted(report, hook.options)) {
    return { result: 'dropped', kind, detail: `The hook does not report ${report.event}.`, notifications: [] }
  }
  if (report.run) return { result: 'activity', kind, notifications: [], run: report.run }
  const detail = templateError ?? (report.onlyAfterFiring && 'Sent only after a failure.')
  return { result: 'sent', kind, detail, notifications: [toNotification(previewed, kind, report)] }
}

async function requireKept(
  ctx: Context,
  { userId }: Caller,
  id: string,
  number: number,
): Promise<{ hook: Hook; request: HookRequest }> {
  const hook = await requireHook(ctx.db.read, userId, id)
  const kept = await findRequest(ctx.db.read, userId, { hookId: hook.id, number, since: keptSince(ctx) })
  if (!kept) throw new Problem('hook.request_not_found', `The request ${number} of this hook is not kept.`)
  if (!isComplete(kept)) {
    throw new Problem(
      'hook.request_incomplete',
      `Only the first ${LIMITS.hook.maxKeptBodyBytes} bytes of ${kept.body.bytes} were kept.`,
    )
  }
  return { hook, request: asReceived(kept) }
}

const asRequest = (body: string | object, headers: Record<string, string> = {}): HookRequest => ({
  method: 'POST',
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  query: '',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

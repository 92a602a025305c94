// Receives a request to a hook: checks its signature, carries it out, and keeps it for the owner to look at.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Hook, type HookKind, HookRefusal } from '../../domain/hooks/hook.ts'
import { type HookOutcome, type HookRequest, toKeep } from '../../domain/hooks/request.ts'
import { knowsSecret } from '../../domain/hooks/signature.ts'
import type { Instant } from '../../domain/instant.ts'
import { hashToken, type TokenHash } from '../../domain/token.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { findHookByAddress } from '../../store/hooks/hooks.ts'
import { insertRequest } from '../../store/hooks/requests.ts'
import { authenticate } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { carryOut } from './carry-out.ts'
import { type ReadRequest, readMessage, readRequest } from './read.ts'

export type AddressedHook = { hook: Hook; keyHash: TokenHash }

const HOOK_TOKEN = /^[0-9A-Za-z]{32}$/

// `token`: the end of the address.
export async function findAddressed(ctx: Context, token: string): Promise<AddressedHook> {
  const found = HOOK_TOKEN.test(token) ? await findHookByAddress(ctx.db.read, hashToken(token)) : undefined
  if (!found) throw new Problem('hook.not_found', 'No hook has this address.')
  return found
}

// `kind`: the one that the path names, for senders of another service.
export async function receiveRequest(
  ctx: Context,
  addressed: AddressedHook,
  request: HookRequest,
  kind: HookKind = addressed.hook.kind,
): Promise<HookOutcome> {
  const now = ctx.clock.now()
  const hook = { ...addressed.hook, kind }
  if (hook.secret !== null && !knowsSecret(request, hook.secret, now)) {
    throw new HookRefusal(
      new Problem(
        'hook.signature_invalid',
        'The request does not prove that its sender knows the secret of this hook.',
      ),
      kind,
    )
  }
  const read = await readRequest(ctx, hook, request)
  const outcome = await attempt(read, async () => {
    const caller = await authenticate(ctx, { kind: 'hlk', hash: addressed.keyHash })
    return report(ctx, caller, hook, read, deliveryIdOf(request))
  })
  await keep(ctx, hook, request, outcome instanceof HookRefusal ? refusedOutcome(outcome) : outcome, now)
  if (outcome instanceof HookRefusal) throw outcome
  return outcome
}

// Without a delivery id the request is carried out even if it was before.
export async function report(
  ctx: Context,
  caller: Caller,
  hook: Hook,
  read: ReadRequest,
  deliveryId?: string,
): Promise<HookOutcome> {
  const { report, templateError } = await readMessage(ctx, hook, read)
  const outcome = await carryOut(ctx, caller, { hook, kind: read.kind, deliveryId }, report)
  return { ...outcome, detail: templateError ?? outcome.detail }
}

// A problem is an outcome, too: the owner sees why a request was refused.
async function attempt({ kind }: ReadRequest, work: () => Promise<HookOutcome>): Promise<HookOutcome | HookRefusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return new HookRefusal(error, kind)
    throw error
  }
}

const refusedOutcome = ({ kind, code, detail }: HookRefusal): HookOutcome => ({
  result: 'refused',
  kind,
  notification_ids: [],
  detail,
  code,
})

async function keep(ctx: Context, hook: Hook, request: HookRequest, outcome: HookOutcome, now: Instant): Promise<void> {
  await ctx.db.transact(async (tx) => {
    const number = await insertRequest(tx, hook, toKeep(request, outcome, now))
    if (number === undefined) return
    await appendEvent(tx, hook.userId, { type: 'hook.received', at: now, data: { id: hook.id, number } })
  })
}

// By which senders mark a request that they repeat.
const DELIVERY_HEADERS = ['x-github-delivery', 'idempotency-key', 'webhook-id']

const deliveryIdOf = ({ headers }: HookRequest): string | undefined =>
  DELIVERY_HEADERS.map((name) => headers[name]).find(Boolean)

// Signs a browser in by the approval of a device where the person is signed in. The browser shows a code and keeps a secret; the
// person types the code on the other device, sees who asks and from where, and approves it; the browser fetches its session.
import { LIMITS } from '../../contract/limits.ts'
import { sessionName } from '../../domain/accounts/session.ts'
import {
  isSignInRequestId,
  readSignInRequestCode,
  requestEnded,
  requestNotFound,
  type SignInRequest,
  type SignInRequestId,
} from '../../domain/accounts/sign-in-request.ts'
import type { Caller } from '../../domain/caller.ts'
import { plusSeconds } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { newSignInRequestCode, newUuid, randomText } from '../../runtime/ids.ts'
import {
  approveRequest,
  deleteWaitingRequest,
  findOwnRequest,
  findWaitingRequest,
  insertSignInRequest,
  takeApprovedRequest,
} from '../../store/accounts/sign-in-requests.ts'
import type { Context } from '../context.ts'
import { type SignIn, signIn } from './accounts.ts'

export async function requestSignIn(
  ctx: Context,
  { address, userAgent }: { address: string; userAgent: string | undefined },
): Promise<{ request: SignInRequest; secret: string }> {
  const now = ctx.clock.now()
  const secret = randomText(32)
  const request: Omit<SignInRequest, 'code'> = {
    id: newUuid() as SignInRequestId,
    browser: sessionName(userAgent),
    address,
    approvedBy: null,
    createdAt: now,
    expiresAt: plusSeconds(now, LIMITS.signInRequest.seconds),
  }
  return ctx.db.transact(async (tx) => {
    for (;;) {
      const coded = { ...request, code: newSignInRequestCode() }
      if (await insertSignInRequest(tx, coded, hashToken(secret))) return { request: coded, secret }
    }
  })
}

export async function findSignInRequest(ctx: Context, caller: Caller, text: string): Promise<SignInRequest> {
  requireUser(caller)
  const code = readSignInRequestCode(text)
  const request = code && (await findWaitingRequest(ctx.db.read, code, ctx.clock.now()))
  if (!request) throw requestNotFound()
  return request
}

// The first answer counts. An approved request is fetched within a minute or not at all.
export async function approveSignInRequest(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  const expiresAt = plusSeconds(now, LIMITS.signInRequest.approvedSeconds)
  const approval = { approvedBy: caller.userId, now, expiresAt }
  const isApproved = isSignInRequestId(id) && (await ctx.db.transact((tx) => approveRequest(tx, id, approval)))
  if (!isApproved) throw requestNotFound()
}

export async function refuseSignInRequest(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  const isRefused = isSignInRequestId(id) && (await ctx.db.transact((tx) => deleteWaitingRequest(tx, id, now)))
  if (!isRefused) throw requestNotFound()
}

// Returns undefined as long as nobody has answered.
export async function fetchSession(ctx: Context, id: string, secret: string): Promise<SignIn | undefined> {
  const now = ctx.clock.now()
  const request = isSignInRequestId(id) ? await findOwnRequest(ctx.db.read, id, hashToken(secret), now) : undefined
  if (!request) throw requestEnded()
  if (!request.approvedBy) return undefined
  return ctx.db.transact(async (tx) => {
    const userId = await takeApprovedRequest(tx, request.id)
    if (!userId) throw requestEnded()
    return { userId, token: await signIn(tx, { userId, isConsole: true, name: request.browser }, now) }
  })
}

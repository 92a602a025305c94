// Where a person is signed in: lists the sessions, ends them, and makes links for signing in somewhere else.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Session } from '../../domain/accounts/session.ts'
import type { Caller } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { deleteKeptCode, deleteSignInCodes } from '../../store/accounts/accounts.ts'
import { deleteSession, deleteSessions, listSessions } from '../../store/accounts/sessions.ts'
import { deleteApprovedRequests } from '../../store/accounts/sign-in-requests.ts'
import { appendEvent, appendEvents } from '../../store/events/feeds.ts'
import type { Context } from '../context.ts'
import { createKeptCode, createSignInCode } from './accounts.ts'

export async function readSessions(ctx: Context, caller: Caller): Promise<Session[]> {
  requireUser(caller)
  // Otherwise the session that asks would be the one whose last use is missing.
  await ctx.lastUsed.flush()
  return listSessions(ctx.db.read, caller.userId)
}

export async function endSession(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  const isEnded = await ctx.db.transact(async (tx) => {
    if (!(await deleteSession(tx, caller.userId, id))) return false
    await appendEvent(tx, caller.userId, sessionDeleted(id, now))
    return true
  })
  if (!isEnded) throw new Problem('session.not_found', 'There is no such session.')
}

// Signs the person out everywhere, except here unless `current` is set. Returns the number of sessions that were ended. Links
// that somebody may have made with one of them, or been given an approval, stop working too.
export async function endSessions(ctx: Context, caller: Caller, { current = false }): Promise<number> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await deleteSignInCodes(tx, caller.userId)
    await deleteApprovedRequests(tx, caller.userId)
    const ids = await deleteSessions(tx, caller.userId, { except: current ? undefined : caller.tokenHash })
    const events = ids.map((id) => sessionDeleted(id, now))
    if (events.length > 0) await appendEvents(tx, caller.userId, events)
    return ids.length
  })
}

const sessionDeleted = (id: string, at: Instant): NewEvent => ({ type: 'session.deleted', at, data: { id } })

// For the caller's own account. The code is in the fragment of the URL, which browsers do not send, so no server or proxy
// logs it.
export async function createSignInLink(
  ctx: Context,
  caller: Caller,
  publicUrl: string,
): Promise<{ url: string; expiresAt: Instant }> {
  requireUser(caller)
  const expiresAt = plusSeconds(ctx.clock.now(), LIMITS.account.signInCodeSeconds)
  return { url: signInUrl(publicUrl, await createSignInCode(ctx, caller.userId)), expiresAt }
}

// A new one replaces the one before.
export async function createKeptLink(ctx: Context, caller: Caller, publicUrl: string): Promise<string> {
  requireUser(caller)
  return signInUrl(publicUrl, await createKeptCode(ctx, caller.userId))
}

export async function removeKeptLink(ctx: Context, caller: Caller): Promise<void> {
  requireUser(caller)
  await ctx.db.transact((tx) => deleteKeptCode(tx, caller.userId))
}

export const signInUrl = (publicUrl: string, code: string): string => `${publicUrl}/app/#signin=${code}`

// The recipients of an account. Each confirms by a link before anything else is sent, and can unsubscribe with one
// click.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import {
  checkAddress,
  confirmationToken,
  isRecipientId,
  type Recipient,
  type RecipientId,
  readUnsubscribeTicket,
  recipientStatus,
} from '../../domain/emails/email.ts'
import { type Instant, plusSeconds, startOfNextDay } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import { requireUser } from '../../domain/permissions.ts'
import { hashToken, type TokenHash } from '../../domain/token.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  countRecipients,
  deleteRecipient,
  findRecipient,
  findRecipientByAddress,
  findRecipientByConfirmation,
  findRecipientByTicket,
  insertRecipient,
  listRecipients,
  replaceConfirmation,
  suppressRecipient,
  updateSignsIn,
  verifyRecipient,
} from '../../store/emails.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob } from '../../store/jobs.ts'
import { incrementUsage } from '../../store/usage.ts'
import type { Context } from '../context.ts'
import { requireMailServer } from './emails.ts'

export type RecipientAddition = { recipient: Recipient; action: 'created' | 'known' }

// A known address is returned without another confirmation mail; resendConfirmation sends one.
export async function addRecipient(ctx: Context, caller: Caller, address: string): Promise<RecipientAddition> {
  requireUser(caller)
  requireMailServer(ctx)
  checkAddress(address)
  const { userId } = caller
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const known = await findRecipientByAddress(tx, userId, address)
    if (known) return { recipient: known, action: 'known' }
    await requireRoom(tx, caller)
    const recipient: Recipient = {
      id: newUuid() as RecipientId,
      userId,
      address,
      confirmationExpiresAt: plusSeconds(now, LIMITS.email.confirmationSeconds),
      verifiedAt: null,
      suppressedAt: null,
      signsIn: false,
      createdAt: now,
    }
    await insertRecipient(tx, recipient, confirmationHash(ctx, recipient))
    await enqueueConfirmation(tx, recipient, now)
    return { recipient, action: 'created' }
  })
}

export async function allRecipients(ctx: Context, caller: Caller): Promise<Recipient[]> {
  requireUser(caller)
  return listRecipients(ctx.db.read, caller.userId)
}

// Replaces the link. Does nothing for recipients who have confirmed or unsubscribed.
export async function resendConfirmation(ctx: Context, caller: Caller, id: string): Promise<Recipient> {
  requireUser(caller)
  requireMailServer(ctx)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const recipient = isRecipientId(id) ? await findRecipient(tx, caller.userId, id) : undefined
    if (!recipient) throw recipientNotFound()
    if (recipientStatus(recipient) !== 'pending') return recipient
    const renewed = { ...recipient, confirmationExpiresAt: plusSeconds(now, LIMITS.email.confirmationSeconds) }
    await replaceConfirmation(tx, renewed, confirmationHash(ctx, renewed))
    await enqueueConfirmation(tx, renewed, now)
    return renewed
  })
}

// An address that has not confirmed may belong to anybody.
export async function setSignsIn(ctx: Context, caller: Caller, id: string, signsIn: boolean): Promise<Recipient> {
  requireUser(caller)
  return ctx.db.transact(async (tx) => {
    const recipient = isRecipientId(id) ? await findRecipient(tx, caller.userId, id) : undefined
    if (!recipient) throw recipientNotFound()
    if (!(await updateSignsIn(tx, caller.userId, recipient.id, signsIn))) {
      throw new Problem('email.recipient_not_verified', `${recipient.address} has not confirmed yet.`)
    }
    return { ...recipient, signsIn }
  })
}

export async function removeRecipient(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const isDeleted = isRecipientId(id) && (await ctx.db.transact((tx) => deleteRecipient(tx, caller.userId, id)))
  if (!isDeleted) throw recipientNotFound()
}

// Returns undefined for a link that is unknown, replaced or expired.
export async function readConfirmation(ctx: Context, token: string): Promise<Recipient | undefined> {
  return findRecipientByConfirmation(ctx.db.read, hashToken(token), ctx.clock.now())
}

export async function confirmByLink(ctx: Context, token: string): Promise<Recipient | undefined> {
  const now = ctx.clock.now()
  const hash = hashToken(token)
  return ctx.db.transact(async (tx) => {
    const recipient = await findRecipientByConfirmation(tx, hash, now)
    if (recipient) await verifyRecipient(tx, recipient, hash, now)
    return recipient
  })
}

// Checks the signature only: a ticket of a removed recipient is valid, and unsubscribing does nothing.
export const isUnsubscribeTicket = ({ signingKey }: Context, ticket: string): boolean =>
  readUnsubscribeTicket(signingKey, ticket) !== undefined

export async function unsubscribe(ctx: Context, ticket: string): Promise<boolean> {
  const id = readUnsubscribeTicket(ctx.signingKey, ticket)
  if (id === undefined) return false
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const recipient = await findRecipientByTicket(tx, id)
    if (recipient) await suppressRecipient(tx, recipient.userId, id, now)
  })
  return true
}

const confirmationHash = ({ signingKey }: Context, { id, confirmationExpiresAt }: Recipient): TokenHash =>
  hashToken(confirmationToken(signingKey, id, confirmationExpiresAt))

// The caller holds the lock on the account, so the count cannot change.
async function requireRoom(tx: Writer, { userId, plan }: Caller): Promise<void> {
  const most = plan.caps.email_recipients
  if ((await countRecipients(tx, userId)) < most) return
  throw new Problem('email.recipient_limit_exceeded', `The account has ${most} recipients already; remove one first.`)
}

// Limited per day: otherwise an account could mail strangers repeatedly by removing and adding them.
async function enqueueConfirmation(tx: Writer, { userId, id }: Recipient, now: Instant): Promise<void> {
  const allowance = { limit: LIMITS.email.maxConfirmationsPerDay, per: 'day' } as const
  if (!(await incrementUsage(tx, userId, 'email_confirmations', allowance, now))) {
    throw new Problem(
      'rate_limit.exceeded',
      `An account can ask ${LIMITS.email.maxConfirmationsPerDay} recipients a day; go on after midnight UTC.`,
      { retry_after_ms: startOfNextDay(now) - now },
    )
  }
  const payload = { userId, recipientId: id }
  await enqueueJob(tx, { kind: 'confirm-recipient', key: JOB_KEYS.recipientConfirmation(id), payload, runAt: now })
}

const recipientNotFound = () => new Problem('email.recipient_not_found', 'There is no recipient with this id.')

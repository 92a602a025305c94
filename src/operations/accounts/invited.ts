// Accounts that an invitation makes: a person without one opens the link, says their name, and has joined. Decision 78 has the
// limits.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { JoinOffer } from '../../domain/accounts/join-offer.ts'
import { sessionName } from '../../domain/accounts/session.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, startOfNextDay } from '../../domain/instant.ts'
import { isExpired, isUsedUp, readJoinCode } from '../../domain/join-code.ts'
import type { Token } from '../../domain/token.ts'
import { newUuid, randomText } from '../../runtime/ids.ts'
import { countSponsored, findSponsorId, findUser, insertUser, lockUser } from '../../store/accounts/accounts.ts'
import { countWithinLimit } from '../../store/accounts/daily-limits.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { findJoinCode } from '../../store/join-codes.ts'
import { findOrganization } from '../../store/organizations/organizations.ts'
import type { Context } from '../context.ts'
import { createDefaultKey } from '../keys/keys.ts'
import { joinByInvitation } from '../organizations/join.ts'
import { joinByShareCode } from '../shares/join.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { signIn } from './accounts.ts'
import { limitKey } from './daily-limit.ts'

// From where the person opened the link.
export type Stranger = { address: string; userAgent: string | undefined }

// What the code is for, and whether it makes an account. If it does, the refusals are those that accepting it would have.
export async function readOffer(
  ctx: Context,
  code: string,
  stranger: Stranger,
): Promise<{ offer: JoinOffer; makesAccount: boolean }> {
  const offer = await requireOffer(ctx.db.read, code, ctx.clock.now())
  const makesAccount = makesAccounts(ctx, offer)
  if (makesAccount) await acceptOffer(ctx, { code, name: 'Guest' }, stranger, 'dry_run')
  return { offer, makesAccount }
}

export type Accepted = { userId: UserId; token: Token; offer: JoinOffer }

// The account, its place in the organization and its session are one transaction: nobody is left with half of them.
export async function acceptOffer(
  ctx: Context,
  { code, name }: { code: string; name: string },
  stranger: Stranger,
  mode: ChangeMode = 'commit',
): Promise<Accepted> {
  const now = ctx.clock.now()
  const offer = await requireOffer(ctx.db.read, code, now)
  if (!makesAccounts(ctx, offer)) throw accountRequired()
  return transactOrRehearse(ctx, mode, async (tx) => {
    const sponsorId = await lockSponsor(tx, offer)
    const userId = await addInvited(tx, ctx, name.trim(), sponsorId, now)
    await join(ctx, tx, userId, offer, now)
    // The new account counts.
    if ((await countSponsored(tx, sponsorId)) > ctx.config.maxInvitedAccounts) throw tooManyInvited()
    await countAtAddress(tx, ctx, stranger.address, now)
    const session = { userId, isConsole: true, name: sessionName(stranger.userAgent) }
    return { userId, token: await signIn(tx, session, now), offer }
  })
}

async function requireOffer(db: Reader, text: string, now: Instant): Promise<JoinOffer> {
  const code = readJoinCode(text)
  const offer = code && ((await findInvitation(db, code)) ?? (await findShareCode(db, code)))
  if (!offer || isExpired(offer.code, now) || isUsedUp(offer.code)) throw offerInvalid()
  return offer
}

type Code = NonNullable<ReturnType<typeof readJoinCode>>

async function findInvitation(db: Reader, text: Code): Promise<JoinOffer | undefined> {
  const code = await findJoinCode(db, 'invitation', text)
  const org = code && (await findOrganization(db, code.orgId))
  return code && org && { kind: 'organization', code, org }
}

async function findShareCode(db: Reader, text: Code): Promise<JoinOffer | undefined> {
  const code = await findJoinCode(db, 'share', text)
  const owner = code && (await findUser(db, code.userId))
  return code && owner && { kind: 'share', code, ownerNickname: owner.nickname }
}

const makesAccounts = ({ config: { invitedAccounts } }: Context, { kind }: JoinOffer): boolean =>
  invitedAccounts === 'all' || (invitedAccounts === 'organizations' && kind === 'organization')

// Locks the account against whose limit the new one counts, in the order of database.ts: the organization, then people by id.
async function lockSponsor(tx: Writer, offer: JoinOffer): Promise<UserId> {
  const inviter = offer.kind === 'organization' ? offer.code.createdBy : offer.code.userId
  const sponsorId = await findSponsorId(tx, inviter)
  if (!sponsorId) throw offerInvalid()
  const first = offer.kind === 'organization' ? [offer.org.id] : []
  const people = offer.kind === 'organization' ? [sponsorId] : [...new Set([sponsorId, offer.code.userId])].sort()
  for (const id of [...first, ...people]) await lockUser(tx, id)
  return sponsorId
}

// Names are unique; nicknames, which others see, are not.
async function addInvited(
  tx: Writer,
  { config }: Context,
  nickname: string,
  sponsorId: UserId,
  now: Instant,
): Promise<UserId> {
  const id = newUuid() as UserId
  const user = { id, nickname, plan: config.defaultPlan, isOperator: false, createdAt: now }
  for (
    let name = nickname;
    !(await insertUser(tx, { ...user, name }, sponsorId));
    name = `${nickname}-${randomText(6)}`
  );
  await createDefaultKey(tx, id, now)
  return id
}

async function join(ctx: Context, tx: Writer, userId: UserId, offer: JoinOffer, now: Instant): Promise<void> {
  try {
    if (offer.kind === 'organization') await joinByInvitation(ctx, tx, userId, offer.code.code, now)
    else await joinByShareCode(ctx, tx, userId, offer.code, now)
  } catch (error) {
    const isOver = error instanceof Problem && /^(?:org|share)\.code_invalid$/.test(error.problem)
    throw isOver ? offerInvalid() : error
  }
}

async function countAtAddress(tx: Writer, ctx: Context, address: string, now: Instant): Promise<void> {
  const limit = LIMITS.account.maxInvitedPerAddressAndDay
  if (await countWithinLimit(tx, limitKey(ctx, 'invited', address), limit, now)) return
  throw new Problem('rate_limit.exceeded', `Invitations make at most ${limit} accounts a day for one address.`, {
    retry_after_ms: startOfNextDay(now) - now,
  })
}

const offerInvalid = () =>
  new Problem('invitation.invalid', 'This code is unknown, used up, expired or deleted; ask for a new one.')

const accountRequired = () =>
  new Problem(
    'invitation.account_required',
    'This server makes no accounts by such invitations; the operator can add one, or sets HELIOGRAPH_INVITED_ACCOUNTS.',
  )

const tooManyInvited = () =>
  new Problem(
    'invitation.limit_exceeded',
    'The invitations of this person have made as many accounts as the operator of this server allows.',
  )

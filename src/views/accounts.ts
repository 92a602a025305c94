// The account and its usage as clients see them.
import type { AccountView } from '../contract/accounts/account.ts'
import type { PasskeyRegistrationOptions, PasskeySignInOptions, PasskeyView } from '../contract/accounts/passkey.ts'
import type { ListedSession } from '../contract/accounts/session.ts'
import type { UsageView } from '../contract/accounts/usage.ts'
import type { InvitationOffer, InvitedAccount, SignInRequestView } from '../contract/accounts/ways-in.ts'
import { LIMITS } from '../contract/limits.ts'
import type { AccountOverview, AccountUsage, User } from '../domain/accounts/account.ts'
import { type DeviceDeliveries, startOfDay, type Usage } from '../domain/accounts/daily-counts.ts'
import type { JoinOffer } from '../domain/accounts/join-offer.ts'
import { type Passkey, type RelyingParty, userHandleOf } from '../domain/accounts/passkey.ts'
import { resetAt } from '../domain/accounts/quota.ts'
import type { Session } from '../domain/accounts/session.ts'
import type { SignInRequest } from '../domain/accounts/sign-in-request.ts'
import type { Caller, UserId } from '../domain/caller.ts'
import { startOfNextDay, toRfc3339, yearMonth } from '../domain/instant.ts'
import { patternOf } from '../domain/shares/share.ts'
import { keyTargetView } from './keys.ts'

// `caller`: the one that asks.
export const sessionView = (session: Session, { tokenHash }: Pick<Caller, 'tokenHash'>): ListedSession => ({
  id: session.id,
  kind: session.kind,
  name: session.name ?? undefined,
  created_at: toRfc3339(session.createdAt),
  last_used_at: session.lastUsedAt === null ? undefined : toRfc3339(session.lastUsedAt),
  current: session.tokenHash === tokenHash,
})

const mostCountedFirst = (one: { count: number }, other: { count: number }) => other.count - one.count

type UsageToShow = Usage & { devices: DeviceDeliveries[] }

export const dailyUsageView = ({ days, sources, keys, devices }: UsageToShow): UsageView => ({
  days: days.map(({ day, ...counts }) => ({
    day: toRfc3339(startOfDay(day)).slice(0, 'YYYY-MM-DD'.length),
    ...counts,
  })),
  sources: sources.map(({ source, sent, byDay }) => ({ source: source || undefined, sent, by_day: byDay })),
  keys: keys.map(({ keyId, sent, muted, held, refused }) => ({
    key_id: keyId ?? undefined,
    sent,
    muted,
    held,
    refused: [...refused]
      .sort()
      .map(([code, count]) => ({ code, count }))
      .sort(mostCountedFirst),
  })),
  devices: devices.map(({ deviceId, ...counts }) => ({ device_id: deviceId, ...counts })),
})

export function accountView({ user, activityCount, key, ...used }: AccountOverview): AccountView {
  return {
    id: user.id,
    nickname: user.nickname,
    activity_count: activityCount,
    subscribed: used.plan.isPaid,
    plan: used.plan.name,
    caps: used.plan.caps,
    ...usageView(used),
    ...(key && {
      integration_key: {
        id: key.id,
        name: key.name,
        is_default: key.isDefault,
        permissions: key.permissions,
        activity_slugs: key.activitySlugs.length > 0 ? key.activitySlugs : undefined,
        widget_slugs: key.widgetSlugs.length > 0 ? key.widgetSlugs : undefined,
        target: key.target ? keyTargetView(key.target) : undefined,
        expires_at: key.expiresAt === null ? undefined : toRfc3339(key.expiresAt),
      },
    }),
    ...(user.isOperator && !key && { operator: true }),
    ...(user.kind === 'organization' && { organization: { id: user.id, name: user.nickname ?? '' } }),
  }
}

export function usageView({ plan, usage, notificationsThisMonth, now }: AccountUsage) {
  const { notifications, live_activity_updates: activities, widget_updates: widgets, emails } = usage
  return {
    quota_period_month: yearMonth(now),
    notifications_used: notifications.used,
    notifications_limit: notifications.limit ?? undefined,
    live_activity_updates_used: activities.used,
    live_activity_updates_limit: activities.limit ?? undefined,
    widget_updates_used: widgets.used,
    widget_updates_limit: widgets.limit ?? undefined,
    emails_used: emails.used,
    emails_limit: emails.limit ?? undefined,
    quota_resets_at: toRfc3339(resetAt(plan.quotas.notifications, now)),
    ...(plan.quotas.notifications?.per === 'day' && {
      notifications_used_month: notificationsThisMonth,
      quota_resets_day_at: toRfc3339(startOfNextDay(now)),
    }),
  }
}

// Passkeys as clients see them, and what browsers need to make and to use one.
export const passkeyView = ({ id, name, isSynced, createdAt, lastUsedAt }: Passkey): PasskeyView => ({
  id,
  name,
  synced: isSynced,
  created_at: toRfc3339(createdAt),
  last_used_at: lastUsedAt === null ? undefined : toRfc3339(lastUsedAt),
})

type Offer = { relyingParty: RelyingParty; challenge: string }

const timeout = LIMITS.passkey.challengeSeconds * 1000
// COSE: EdDSA, ES256, RS256, which the library verifies by default.
const ALGORITHMS = [-8, -7, -257]

export function registrationOptionsView({
  relyingParty,
  challenge,
  user,
  registered,
}: Offer & { user: User; registered: Passkey[] }): PasskeyRegistrationOptions {
  const name = user.nickname ?? user.name
  return {
    challenge,
    rp: { id: relyingParty.id, name: 'Heliograph' },
    user: { id: userHandleOf(user.id), name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout,
    attestation: 'none',
    excludeCredentials: registered.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

export const signInOptionsView = ({ relyingParty, challenge }: Offer): PasskeySignInOptions => ({
  challenge,
  rpId: relyingParty.id,
  timeout,
  userVerification: 'required',
})

export function offerView({ offer, makesAccount }: { offer: JoinOffer; makesAccount: boolean }): InvitationOffer {
  const { kind, code } = offer
  const shown = { kind, role: code.role, makes_account: makesAccount }
  if (offer.kind === 'organization') return { ...shown, org_name: offer.org.name }
  const { subject } = offer.code
  return {
    ...shown,
    owner_nickname: offer.ownerNickname ?? undefined,
    ...(subject.kind === 'activity' ? { slug: subject.slug } : { slug_pattern: patternOf(subject.slugPrefix) }),
  }
}

export function invitedAccountView({ userId, offer }: { userId: UserId; offer: JoinOffer }): InvitedAccount {
  if (offer.kind === 'organization') return { user_id: userId, org_id: offer.org.id }
  const { subject } = offer.code
  return { user_id: userId, activity_id: subject.kind === 'activity' ? subject.activityId : undefined }
}

// `address`: from where the person looks at it.
export const signInRequestView = (request: SignInRequest, address: string): SignInRequestView => ({
  id: request.id,
  code: request.code,
  browser: request.browser ?? undefined,
  address: request.address,
  same_network: request.address === address,
  created_at: toRfc3339(request.createdAt),
  expires_at: toRfc3339(request.expiresAt),
})

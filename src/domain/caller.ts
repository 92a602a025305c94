// The caller of an operation, as identified by its token.
import type { AppKind } from '../contract/devices.ts'
import type { DeviceId, UserId } from '../contract/fields.ts'
import type { Permissions } from '../contract/permissions.ts'
import type { TargetIds } from './ids.ts'
import type { Plan } from './plans.ts'
import type { TokenHash } from './token.ts'

export type { UserId }
export type KeyId = string & { readonly of: 'integration key' }

// A closed organization is being deleted: nobody is a member of it any more.
export type AccountKind = 'person' | 'organization' | 'closed-organization'

// `holdsPushes`: the account has mutes or quiet hours.
type Account = {
  userId: UserId
  accountKind: AccountKind
  plan: Plan
  holdsPushes: boolean
  tokenHash: TokenHash
}

// hla_: the person, with full access to the account. `deviceId`: the device the token was issued to, if any.
// `actingMember`: the person whose token it is, if they act as an organization; the account is then the organization's.
export type UserCaller = Account & { kind: 'user'; deviceId?: string | undefined; actingMember?: UserId }

// hlk_: a program with limited permissions. An empty slug list allows every slug.
export type KeyCaller = Account & {
  kind: 'key'
  keyId: KeyId
  keyName: string
  isDefault: boolean
  permissions: Permissions
  activitySlugs: string[]
  widgetSlugs: string[]
  // The part of the organization that the key reaches; null for all of it.
  target: TargetIds | null
  // The limit of its storm shield, in pushes a minute.
  stormLimit: number | null
  // Of notifications that ask for none.
  sound: string | null
}

// hlw_: the widget extension of one device; reads widgets.
export type WidgetCaller = Account & { kind: 'widget-extension' }

// The app of another service on one device: receives at the door of that service, and calls nothing of the API.
export type AppCaller = Account & { kind: 'app'; app: AppKind; deviceId: DeviceId }

// hls_, in the path of an address under /s/: reads what a screen link shows, and calls nothing else. Slugs or prefixes; an empty
// list is none. `defaults`: parameters of requests that do not have them.
export type LinkCaller = Account & {
  kind: 'screen-link'
  linkId: string
  widgetSlugs: string[]
  activitySlugs: string[]
  showsWall: boolean
  opensTaps: boolean
  defaults: { theme: string | null; lang: string | null; tz: string | null }
}

export type Caller = UserCaller | KeyCaller | WidgetCaller | AppCaller | LinkCaller

// On whose behalf something is sent: the account, and the key unless the person sends it. `shield`: the storm shield of
// the key.
export type Sender = {
  userId: UserId
  plan: Plan
  keyId: KeyId | null
  holdsPushes: boolean
  shield?: Shield | undefined
}

export const senderOf = (caller: Caller): Sender => ({
  userId: caller.userId,
  plan: caller.plan,
  keyId: caller.kind === 'key' ? caller.keyId : null,
  holdsPushes: caller.holdsPushes,
  shield:
    caller.kind === 'key' && caller.stormLimit !== null
      ? { id: caller.keyId, pushesPerMinute: caller.stormLimit }
      : undefined,
})

// A storm shield, named by the id of the key or the hook that it belongs to.
export type ShieldId = string
export type Shield = { id: ShieldId; pushesPerMinute: number }

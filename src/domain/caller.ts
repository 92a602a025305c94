// The caller of an operation, as identified by its token.
import type { Plan } from '../contract/limits.ts'
import type { Permissions } from '../contract/permissions.ts'
import type { TokenHash } from './token.ts'

export type UserId = string & { readonly of: 'user' }
export type KeyId = string & { readonly of: 'integration key' }

type Account = { userId: UserId; plan: Plan; tokenHash: TokenHash }

// hla_: the person, with full access to the account. `deviceId`: the device the token was issued to, if any.
export type UserCaller = Account & { kind: 'user'; deviceId?: string | undefined }

// hlk_: a program with limited permissions. An empty slug list allows every slug.
export type KeyCaller = Account & {
  kind: 'key'
  keyId: KeyId
  isDefault: boolean
  permissions: Permissions
  activitySlugs: string[]
  widgetSlugs: string[]
}

// hlw_: the widget extension of one device; reads widgets.
export type WidgetCaller = Account & { kind: 'widget-extension' }

export type Caller = UserCaller | KeyCaller | WidgetCaller

// On whose behalf something is sent: the account, and the key unless the person sends it.
export type Sender = { userId: UserId; plan: Plan; keyId: KeyId | null }

export const senderOf = (caller: Caller): Sender => ({
  userId: caller.userId,
  plan: caller.plan,
  keyId: caller.kind === 'key' ? caller.keyId : null,
})

// Who is calling, as found from the token. Everything an operation may know about its caller.
import type { Plan } from '../contract/limits.ts'
import type { Permissions } from '../contract/permissions.ts'
import type { TokenHash } from './token.ts'

export type UserId = string & { readonly of: 'user' }
export type KeyId = string & { readonly of: 'integration key' }

type Account = { userId: UserId; plan: Plan; tokenHash: TokenHash }

// hla_: the person, with everything of the account. `deviceId`: the device the token was issued to, if any.
export type UserCaller = Account & { kind: 'user'; deviceId?: string | undefined }

// hlk_: one program, with its narrow share. An empty slug list means every slug.
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

// On whose behalf something is sent, now or later: the account, and the key unless the person sent it.
export type Sender = { userId: UserId; plan: Plan; keyId: KeyId | null }

export const senderOf = (caller: Caller): Sender => ({
  userId: caller.userId,
  plan: caller.plan,
  keyId: caller.kind === 'key' ? caller.keyId : null,
})

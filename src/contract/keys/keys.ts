// Integration keys: a credential for one program, with permissions of its own; and their aliases, tokens in the form that the
// senders of another service expect.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, Text, Timestamp } from '../fields.ts'
import { StormShield, StormShieldInput } from '../holds.ts'
import { LIMITS } from '../limits.ts'
import { Sound } from '../notifications/sound.ts'
import { KeyTarget, KeyTargetInput } from '../organizations/target.ts'
import { Permissions, SomePermissions } from '../permissions.ts'
import { ALIAS_DOORS } from './doors.ts'

export const SCOPES = ['activity:none', 'activity:read', 'activity:update', 'activity:manage'] as const

const SlugList = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: LIMITS.key.maxSlugs,
  description: 'The slugs that the key may use: slugs, or prefixes with a trailing *. Empty means every slug.',
  examples: [['build', 'deploy-*']],
})

const KeySound = Type.String({
  ...Sound,
  description: 'The sound of notifications whose sender asks for none; see `sound` of a notification.',
})

const Grant = {
  permissions: Type.Optional(SomePermissions),
  scope: Type.Optional(OneOf(SCOPES, 'Older form of permissions.activities.')),
  notifications: Type.Optional(Type.Boolean({ description: 'Older form: true is the level schedule.' })),
  widgets: Type.Optional(Type.Boolean({ description: 'Older form: true is the level write.' })),
  emails: Type.Optional(Type.Boolean({ description: 'Older form: true is the level send.' })),
  activity_slugs: Type.Optional(Nullable(SlugList)),
  widget_slugs: Type.Optional(Nullable(SlugList)),
  target: Type.Optional(Nullable(KeyTargetInput)),
  expires_at: Type.Optional(Nullable(Timestamp)),
  storm: Type.Optional(StormShieldInput),
  sound: Type.Optional(Nullable(KeySound)),
}

const GRANT_EXAMPLE = { permissions: { notifications: 'send', widgets: 'write' }, widget_slugs: ['build-*'] }

export const KeyInput = Type.Object(
  { name: Text(LIMITS.name.maxChars, { minLength: 1 }), ...Grant },
  { ...closed, title: 'KeyInput', examples: [{ name: 'CI', ...GRANT_EXAMPLE }] },
)
export type KeyInput = Static<typeof KeyInput>

export const KeyPatch = Type.Object(
  { name: Type.Optional(Text(LIMITS.name.maxChars, { minLength: 1 })), ...Grant },
  { ...closed, title: 'KeyPatch', examples: [GRANT_EXAMPLE] },
)
export type KeyPatch = Static<typeof KeyPatch>

const KEY_MEMBERS = {
  id: Type.String(),
  name: Type.String(),
  scope: OneOf(SCOPES),
  permissions: Permissions,
  is_default: Type.Boolean(),
  notifications: Type.Boolean(),
  widgets: Type.Boolean(),
  emails: Type.Boolean(),
  activity_slugs: Type.Optional(Type.Array(Type.String())),
  widget_slugs: Type.Optional(Type.Array(Type.String())),
  target: Type.Optional(KeyTarget),
  expires_at: Type.Optional(Timestamp),
  storm: Type.Optional(StormShield),
  sound: Type.Optional(Type.String()),
  last_used_at: Type.Optional(Timestamp),
  created_at: Timestamp,
}

export const KeyView = Type.Object(KEY_MEMBERS, { title: 'Key' })
export type KeyView = Static<typeof KeyView>

const SECRET = { key: Type.String({ description: 'The secret. No later response repeats it.', examples: ['hlk_…'] }) }

export const KeyWithSecret = Type.Object({ ...KEY_MEMBERS, ...SECRET }, { title: 'KeyWithSecret' })
export type KeyWithSecret = Static<typeof KeyWithSecret>

const CREATED = { created: Type.Boolean({ description: 'Whether this request created the key.' }) }
export const DefaultKeyCreated = Type.Object({ ...KEY_MEMBERS, ...SECRET, ...CREATED }, { title: 'DefaultKeyCreated' })
export const DefaultKeyFound = Type.Object({ ...KEY_MEMBERS, ...CREATED }, { title: 'DefaultKeyFound' })

export const AliasInput = Type.Object(
  { door: OneOf(ALIAS_DOORS, 'The service whose senders use the alias.') },
  { ...closed, title: 'KeyAliasInput', examples: [{ door: 'gotify' }] },
)
export type AliasInput = Static<typeof AliasInput>

const ALIAS_MEMBERS = { id: Type.String(), door: OneOf(ALIAS_DOORS), created_at: Timestamp }

export const AliasView = Type.Object(ALIAS_MEMBERS, { title: 'KeyAlias' })
export type AliasView = Static<typeof AliasView>

export const AliasWithToken = Type.Object(
  {
    ...ALIAS_MEMBERS,
    token: Type.String({ description: 'The token. No later response repeats it.', examples: ['A3xYz.2kLm-Q9vT'] }),
  },
  { title: 'KeyAliasWithToken' },
)
export type AliasWithToken = Static<typeof AliasWithToken>

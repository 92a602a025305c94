// Integration keys: a credential for one program, with its own narrow share of the account.
import { type Static, Type } from 'typebox'
import { closed, Nullable, OneOf, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { LEVELS, Permissions } from './permissions.ts'

export const SCOPES = ['activity:none', 'activity:read', 'activity:update', 'activity:manage'] as const

const SlugList = Type.Array(Type.String({ minLength: 1 }), {
  maxItems: LIMITS.slugListEntries,
  description: 'Slugs, or prefixes with a trailing *; empty means every slug.',
  examples: [['build', 'deploy-*']],
})

// A resource left out is `none` for a new key and keeps its level in a patch.
const SomePermissions = Type.Object(
  {
    activities: Type.Optional(OneOf(LEVELS.activities)),
    notifications: Type.Optional(OneOf(LEVELS.notifications)),
    widgets: Type.Optional(OneOf(LEVELS.widgets)),
    emails: Type.Optional(OneOf(LEVELS.emails)),
  },
  closed,
)

const Grant = {
  permissions: Type.Optional(SomePermissions),
  scope: Type.Optional(OneOf(SCOPES, 'Older form of permissions.activities.')),
  notifications: Type.Optional(Type.Boolean({ description: 'Older form: true is the level schedule.' })),
  widgets: Type.Optional(Type.Boolean({ description: 'Older form: true is the level write.' })),
  emails: Type.Optional(Type.Boolean({ description: 'Older form: true is the level send.' })),
  activity_slugs: Type.Optional(Nullable(SlugList)),
  widget_slugs: Type.Optional(Nullable(SlugList)),
  expires_at: Type.Optional(Nullable(Timestamp)),
}

export const KeyInput = Type.Object({ name: Text(LIMITS.nameChars, { minLength: 1 }), ...Grant }, closed)
export type KeyInput = Static<typeof KeyInput>

export const KeyPatch = Type.Object({ name: Type.Optional(Text(LIMITS.nameChars, { minLength: 1 })), ...Grant }, closed)
export type KeyPatch = Static<typeof KeyPatch>

export const KeyView = Type.Object({
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
  expires_at: Type.Optional(Timestamp),
  last_used_at: Type.Optional(Timestamp),
  created_at: Timestamp,
})
export type KeyView = Static<typeof KeyView>

const Shown = { key: Type.String({ description: 'The secret. Shown now and never again.', examples: ['hlk_…'] }) }

export const KeyWithSecret = Type.Object({ ...KeyView.properties, ...Shown })
export type KeyWithSecret = Static<typeof KeyWithSecret>

export const DefaultKeyCreated = Type.Object({ ...KeyWithSecret.properties, created: Type.Boolean() })
export const DefaultKeyFound = Type.Object({ ...KeyView.properties, created: Type.Boolean() })

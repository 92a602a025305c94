// The permission levels of an integration key. Each level includes the ones before it.
import { type Static, type TUnsafe, Type } from 'typebox'
import { closed, OneOf } from './fields.ts'

export const LEVELS = {
  activities: ['none', 'read', 'update', 'manage'],
  notifications: ['none', 'send', 'schedule'],
  widgets: ['none', 'read', 'write'],
  emails: ['none', 'send'],
} as const

export type Resource = keyof typeof LEVELS
export type Level<R extends Resource = Resource> = (typeof LEVELS)[R][number]
export const RESOURCES = Object.keys(LEVELS) as Resource[]

const SCHEMAS = Object.fromEntries(RESOURCES.map((resource) => [resource, OneOf<string>(LEVELS[resource])])) as {
  [R in Resource]: TUnsafe<Level<R>>
}

export const Permissions = Type.Object(SCHEMAS, { ...closed, title: 'Permissions' })
// A missing resource is `none` for a new key and unchanged in a patch.
export const SomePermissions = Type.Partial(Permissions, { ...closed, title: 'PermissionsInput' })
export type Permissions = Static<typeof Permissions>

// The token that a route requires; checked before the body is read.
export type Access =
  | 'public' // no token
  | 'any' // every full-access token and every integration key
  | 'user' // a full-access token
  | 'key-manager' // a full-access token or the account's default key
  | { [R in Resource]: { resource: R; level: Level<R> } }[Resource]

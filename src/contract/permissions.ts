// The permission levels of an integration key. Each level includes the ones before it.
import { type Static, Type } from 'typebox'
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

export const Permissions = Type.Object(
  {
    activities: OneOf(LEVELS.activities),
    notifications: OneOf(LEVELS.notifications),
    widgets: OneOf(LEVELS.widgets),
    emails: OneOf(LEVELS.emails),
  },
  { ...closed, title: 'Permissions' },
)
export type Permissions = Static<typeof Permissions>

// The token that a route requires; checked before the body is read.
export type Access =
  | 'public' // no token
  | 'any' // every full-access token and every integration key
  | 'user' // a full-access token
  | 'key-manager' // a full-access token or the account's default key
  | { [R in Resource]: { resource: R; level: Level<R> } }[Resource]

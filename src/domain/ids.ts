// Ids that the server generates, the targets of an organization made of them, and slugs, the names that clients choose.

import type { UserId } from '../contract/fields.ts'
import { SLUG_PATTERN } from '../contract/fields.ts'

// The id of the account of an organization.
export type OrgId = UserId & { readonly kind: 'organization' }
export type GroupId = string & { readonly of: 'group' }
export type GroupSetId = string & { readonly of: 'group set' }
export type TagId = string & { readonly of: 'tag' }

export const isOrgId = (text: string): text is OrgId => isUuid(text)
export const isGroupId = (text: string): text is GroupId => isUuid(text)
export const isTagId = (text: string): text is TagId => isUuid(text)
export const isUserId = (text: string): text is UserId => isUuid(text)

// Who is reached: members who are in one entry of every list. `null`: the list does not restrict.
export type TargetIds = { groupIds: GroupId[] | null; tagIds: TagId[] | null; memberIds: UserId[] | null }

// The form of the ids that the server generates. Text of any other form is not looked up: it may contain characters
// that a database refuses.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => UUID.test(text)

export const uuidToBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export const uuidFromBytes = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

const SLUG = new RegExp(SLUG_PATTERN)

export const isSlug = (text: string): boolean => SLUG.test(text)

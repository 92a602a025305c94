// The ids of organizations, groups and tags, and targets made of them.
import type { UserId } from '../../contract/ids.ts'
import { isUuid } from '../uuid.ts'

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

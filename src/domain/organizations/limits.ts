// The caps of organizations.
import { LIMITS, type Plan } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'

const { organization } = LIMITS

export type Capped = 'organizations' | 'members' | 'groups' | 'tags' | 'invitations'

export const requireRoomForOrganization = (count: number): void =>
  requireRoom('organizations', count, organization.maxPerPerson, 'A person is a member of')

export const requireRoomForMember = (plan: Plan, count: number): void =>
  requireRoom('members', count, organization.maxMembers[plan], 'An organization on this plan has')

export const requireRoomForGroup = (count: number): void =>
  requireRoom('groups', count, organization.maxGroups, 'An organization has')

export const requireRoomForTag = (count: number): void =>
  requireRoom('tags', count, organization.maxTags, 'An organization has')

export const requireRoomForInvitation = (count: number): void =>
  requireRoom('invitations', count, organization.maxOpenInvitations, 'An organization has open')

function requireRoom(kind: Capped, count: number, limit: number, who: string): void {
  if (count < limit) return
  throw new Problem('org.limit_exceeded', `${who} at most ${limit} ${kind}.`, { kind, limit })
}

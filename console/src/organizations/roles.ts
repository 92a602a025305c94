// What each role of an organization may do, by the rules of the server.
import type { OrgRole } from '../../../src/contract/organizations/organization.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'

export const ROLE_OPTIONS = Object.entries(ORG_TEXTS.roles) as [OrgRole, string][]

// Manages members, groups and keys, and sends as the organization.
export const mayManage = (role: OrgRole): boolean => role !== 'member'

export const mayRemove = (role: OrgRole, other: OrgRole): boolean =>
  role === 'owner' || (role === 'admin' && other === 'member')

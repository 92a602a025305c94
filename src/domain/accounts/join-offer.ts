// What a code offers to a person who has no account yet.
import type { Invitation, Organization } from '../organizations/organization.ts'
import type { ShareCode } from '../shares/share.ts'

export type JoinOffer =
  | { kind: 'organization'; code: Invitation; org: Organization }
  | { kind: 'share'; code: ShareCode; ownerNickname: string | null }

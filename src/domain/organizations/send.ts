// A notification of an organization: the head, whom it reaches, and the entries of those it reaches.
import type { Target } from '../../contract/organizations/target.ts'
import type { UserId } from '../caller.ts'
import type { OrgId, TargetIds } from '../ids.ts'
import type { NotificationId } from '../notifications/notification.ts'

// Decided once, when the notification is accepted. `devices`: those with a push channel, without those of muted members.
export type OrgSend = {
  headId: NotificationId
  orgId: OrgId
  // As the sender gave it.
  target: Target | null
  targetIds: TargetIds
  // The one that pushes carry.
  collapseId?: string | undefined
  members: number
  devices: number
}

// Whom an organization sends a message to.
export type Addressing = Pick<OrgSend, 'target' | 'targetIds'>

// `stored`: members who have an entry by now. `isDone`: no more will get one.
export type SpreadProgress = { stored: number; isDone: boolean }

export type ShownOrgSend = OrgSend & SpreadProgress

// The entry of a member: which notification of which organization it is.
export type EntryOrigin = { userId: UserId; entryId: NotificationId; orgId: OrgId; headId: NotificationId }

// A row of a member's inbox.
export type Entry = { userId: UserId; id: NotificationId }

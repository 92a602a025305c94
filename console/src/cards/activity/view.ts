// Activities as the API returns them, with the members of content that are drawn.
import type { ActivityView as AnyActivityView } from '../../../../src/contract/activities.ts'
import type { ShownActivity } from '../../../../src/domain/screens/activity-content.ts'

export type ActivityView = Omit<AnyActivityView, 'content'> & Pick<ShownActivity, 'content' | 'isForMember'>

// What sharing means for the page and the buttons of an activity.
import type { ShownActivity } from '../../../../src/domain/screens/activity-content.ts'

// Names the activity in paths of the API and of the console: an own one by its slug, a shared one by its id, because an
// own one may have the same slug.
export const pathName = ({ id, slug, kind }: Pick<ShownActivity, 'id' | 'slug' | 'kind'>): string =>
  kind === 'shared' && id ? id : slug

// An organization asks every member whom its activity reaches.
export const mayAnswer = (activity: Pick<ShownActivity, 'share_role' | 'isForMember'>): boolean =>
  mayChange(activity) || activity.isForMember === true

// Viewers see no button that changes the activity: the API would refuse them.
export const mayChange = ({ share_role }: Pick<ShownActivity, 'share_role'>): boolean => share_role !== 'viewer'

// Activities as the API shows them, with the content as far as it is drawn.
import type { ActivityView as AnyActivityView } from '../../../../src/contract/activity.ts'
import type { ActivityContent } from './content.ts'

export type ActivityView = Omit<AnyActivityView, 'content'> & { content: ActivityContent }

// The event of a deleted notification. It has the names by which apps of other services know the message, because nothing
// else has them any more.
import type { MessageName } from '../../domain/apps/news.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'

// `name`: read before the deletion. `keepsBanners`: devices keep what they show.
export const deletedEvent = (
  id: NotificationId,
  name: MessageName | undefined,
  keepsBanners: boolean,
  at: Instant,
): NewEvent => ({
  type: 'notification.deleted',
  at,
  data: {
    id,
    source: name?.source,
    sequence: name?.sequence,
    ...((keepsBanners || name?.isReplaced) && { stays_on_apps: true }),
  },
})

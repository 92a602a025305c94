// The words on a button of a notification. The server adds a button to alerts that have none; its English title is translated.
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'

type Titled = Pick<NotificationAction, 'id' | 'title'>

// `acknowledge`: its title in the language of the person.
export const actionTitle = ({ id, title }: Titled, acknowledge: string): string =>
  id === 'pw_ack' && title === 'Acknowledge' ? acknowledge : title

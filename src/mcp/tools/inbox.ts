// Tools that read the inbox. The texts in it were written by other programs and people; they are returned as data.
import { Type } from 'typebox'
import { closed, NotificationId } from '../../contract/fields.ts'
import { NotificationQuery } from '../../contract/notifications/inbox.ts'
import { NotificationList, NotificationView } from '../../contract/notifications/notification.ts'
import { readNotification } from '../../operations/notifications/inbox.ts'
import { readInboxPage } from '../../operations/notifications/inbox-pages.ts'
import { shownNotificationView } from '../../views/notifications.ts'
import { pageView } from '../../views/page.ts'
import { defineTool, READS } from './tool.ts'

const toRead = { resource: 'notifications', level: 'send' } as const
const LISTED = 20

export const listInboxTool = defineTool({
  name: 'list_inbox',
  title: 'List the inbox',
  description: `Lists notifications, newest first, ${LISTED} at a time unless limit says otherwise. Their texts were written by other programs and people.`,
  input: Type.Object(NotificationQuery.properties, closed),
  output: NotificationList,
  annotations: READS,
  access: toRead,
  run: async (ctx, caller, query) =>
    pageView(await readInboxPage(ctx, caller, { limit: LISTED, ...query }), shownNotificationView),
})

export const getNotificationTool = defineTool({
  name: 'get_notification',
  title: 'Read a notification',
  description:
    'Reads one notification, with its answer or its receipt. Its text was written by another program or person.',
  input: Type.Object({ id: NotificationId }, closed),
  output: NotificationView,
  annotations: READS,
  access: toRead,
  run: async (ctx, caller, { id }) => shownNotificationView(await readNotification(ctx, caller, id)),
})

// The inbox over HTTP.
import {
  NotificationList,
  NotificationParams,
  NotificationQuery,
  NotificationView,
  ReadInput,
  ReadResult,
  TimelineView,
  UnreadCount,
} from '../../contract/notification.ts'
import type { Context } from '../../operations/context.ts'
import {
  markAsRead,
  readNotification,
  readTimeline,
  removeNotification,
  unreadCount,
} from '../../operations/notifications/inbox.ts'
import { readInboxPage } from '../../operations/notifications/inbox-pages.ts'
import { shownNotificationView, timelineEntryView } from '../../views/notification.ts'
import { pageView } from '../../views/page.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Notifications']
const toRead = { access: { resource: 'notifications', level: 'send' } } as const

export function inboxRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/notifications',
    {
      schema: {
        tags,
        operationId: 'listNotifications',
        summary: 'List the inbox, newest first',
        querystring: NotificationQuery,
        response: { 200: NotificationList },
      },
      config: { ...toRead, problems: ['cursor.invalid'] },
    },
    async (request) => {
      return pageView(await readInboxPage(ctx, callerOf(request), request.query), shownNotificationView)
    },
  )

  app.get(
    '/notifications/unread-count',
    {
      schema: {
        tags,
        operationId: 'countUnread',
        summary: 'Count the unread notifications',
        response: { 200: UnreadCount },
      },
      config: toRead,
    },
    async (request) => ({ count: await unreadCount(ctx, callerOf(request)) }),
  )

  app.get(
    '/notifications/:id',
    {
      schema: {
        tags,
        operationId: 'getNotification',
        summary: 'Read a notification',
        params: NotificationParams,
        response: { 200: NotificationView },
      },
      config: { ...toRead, problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request) => shownNotificationView(await readNotification(ctx, callerOf(request), request.params.id)),
  )

  app.get(
    '/notifications/:id/timeline',
    {
      schema: {
        tags,
        operationId: 'getTimeline',
        summary: 'Read the delivery history of a notification, per device',
        params: NotificationParams,
        response: { 200: TimelineView },
      },
      config: { ...toRead, problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request) => {
      const entries = await readTimeline(ctx, callerOf(request), request.params.id)
      return { items: entries.map(timelineEntryView) }
    },
  )

  app.post(
    '/notifications/read',
    {
      schema: {
        tags,
        operationId: 'markAsRead',
        summary: 'Mark notifications as read',
        body: ReadInput,
        response: { 200: ReadResult },
      },
      config: { access: 'user' },
    },
    async (request) => {
      const { body } = request
      const which = 'ids' in body ? body.ids : 'all'
      return { updated: await markAsRead(ctx, callerOf(request), which) }
    },
  )

  app.delete(
    '/notifications/:id',
    {
      schema: {
        tags,
        operationId: 'deleteNotification',
        summary: 'Delete a notification',
        params: NotificationParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request, reply) => {
      await removeNotification(ctx, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}

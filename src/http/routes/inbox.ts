// The inbox over HTTP.

import {
  DeleteNotificationsInput,
  DeleteNotificationsResult,
  NotificationQuery,
  ReadInput,
  ReadResult,
  SnoozeInput,
  UnreadCount,
} from '../../contract/notifications/inbox.ts'
import {
  NotificationList,
  NotificationParams,
  NotificationView,
  TimelineView,
} from '../../contract/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import { readNotification, readTimeline, unreadCount } from '../../operations/notifications/inbox.ts'
import { readInboxPage } from '../../operations/notifications/inbox-pages.ts'
import { markAsRead } from '../../operations/notifications/read-marks.ts'
import { removeNotification, removeNotifications } from '../../operations/notifications/removal.ts'
import { endSnooze, snoozeNotification } from '../../operations/notifications/snooze.ts'
import { shownNotificationView, timelineEntryView } from '../../views/notifications.ts'
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
        summary: 'Mark notifications as read, or as unread again',
        body: ReadInput,
        response: { 200: ReadResult },
      },
      config: { access: 'user' },
    },
    async (request) => ({ updated: await markAsRead(ctx, callerOf(request), request.body) }),
  )

  app.put(
    '/notifications/:id/snooze',
    {
      schema: {
        tags,
        operationId: 'snoozeNotification',
        summary: 'Hide a notification from the inbox until a time',
        description:
          'It is marked as read and left out of lists. At that time it is unread again and pushed like a new one, which costs no quota.',
        params: NotificationParams,
        body: SnoozeInput,
        response: { 200: NotificationView },
      },
      config: { access: 'user', problems: ['notification.not_found', 'notification.ringing'] },
    },
    async (request) => {
      const { id } = request.params
      return shownNotificationView(await snoozeNotification(ctx, callerOf(request), id, request.body))
    },
  )

  app.delete(
    '/notifications/:id/snooze',
    {
      schema: {
        tags,
        operationId: 'endSnooze',
        summary: 'Show a snoozed notification in the inbox again',
        description: 'It is unread again, and not pushed. One that is not snoozed stays as it is.',
        params: NotificationParams,
        response: { 200: NotificationView },
      },
      config: { access: 'user', problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request) => shownNotificationView(await endSnooze(ctx, callerOf(request), request.params.id)),
  )

  app.delete(
    '/notifications',
    {
      schema: {
        tags,
        operationId: 'deleteNotifications',
        summary: 'Delete notifications',
        description: 'Ids that the inbox does not have are ignored.',
        body: DeleteNotificationsInput,
        response: { 200: DeleteNotificationsResult },
      },
      config: { access: 'user' },
    },
    async (request) => ({ deleted: await removeNotifications(ctx, callerOf(request), request.body.ids) }),
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

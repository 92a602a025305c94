// The inbox over HTTP.
import { Type } from 'typebox'
import {
  NotificationList,
  NotificationQuery,
  NotificationView,
  ReadInput,
  ReadResult,
  TimelineView,
  UnreadCount,
} from '../../contract/notification.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import {
  markAsRead,
  readNotification,
  readTimeline,
  removeNotification,
  unreadCount,
} from '../../operations/notifications/inbox.ts'
import { readInboxPage } from '../../operations/notifications/inbox-pages.ts'
import { notificationView, timelineEntryView } from '../../views/notification.ts'
import { pageView } from '../../views/page.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Notifications']
export const NotificationParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const toRead = { access: { resource: 'notifications', level: 'send' } } as const

export function inboxRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/notifications',
    {
      schema: {
        tags,
        summary: 'The inbox, newest first',
        querystring: NotificationQuery,
        response: { 200: NotificationList },
      },
      config: { ...toRead, problems: ['cursor.invalid'] },
    },
    async (request) => {
      return pageView(await readInboxPage(ctx, callerOf(request), request.query), notificationView)
    },
  )

  app.get(
    '/notifications/unread-count',
    { schema: { tags, summary: 'How many are unread', response: { 200: UnreadCount } }, config: toRead },
    async (request) => ({ count: await unreadCount(ctx, callerOf(request)) }),
  )

  app.get(
    '/notifications/:id',
    {
      schema: { tags, summary: 'One notification', params: NotificationParams, response: { 200: NotificationView } },
      config: { ...toRead, problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request) =>
      notificationView(await readNotification(ctx, callerOf(request), request.params.id as NotificationId)),
  )

  app.get(
    '/notifications/:id/timeline',
    {
      schema: {
        tags,
        summary: 'What happened to it, device by device',
        params: NotificationParams,
        response: { 200: TimelineView },
      },
      config: { ...toRead, problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request) => {
      const entries = await readTimeline(ctx, callerOf(request), request.params.id as NotificationId)
      return { items: entries.map(timelineEntryView) }
    },
  )

  app.post(
    '/notifications/read',
    {
      schema: { tags, summary: 'Mark as read', body: ReadInput, response: { 200: ReadResult } },
      config: { access: 'user' },
    },
    async (request) => {
      const { body } = request
      const which = 'ids' in body ? (body.ids as NotificationId[]) : 'all'
      return { updated: await markAsRead(ctx, callerOf(request), which) }
    },
  )

  app.delete(
    '/notifications/:id',
    {
      schema: { tags, summary: 'Delete a notification', params: NotificationParams, response: { 204: {} } },
      config: { access: 'user', problems: ['notification.not_found', 'request.validation_failed'] },
    },
    async (request, reply) => {
      await removeNotification(ctx, callerOf(request), request.params.id as NotificationId)
      return reply.code(204).send()
    },
  )
}

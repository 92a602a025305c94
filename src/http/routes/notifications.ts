// Notifications over HTTP: sending, and the inbox.
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
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
  NotificationInput,
  NotificationList,
  NotificationParams,
  NotificationView,
  SentNotificationView,
  TimelineView,
} from '../../contract/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import { readNotification, readTimeline, unreadCount } from '../../operations/notifications/inbox.ts'
import { readInboxPage } from '../../operations/notifications/inbox-pages.ts'
import { markAsRead } from '../../operations/notifications/read-marks.ts'
import { removeNotification, removeNotifications } from '../../operations/notifications/removal.ts'
import {
  beginSending,
  type RehearsedNotification,
  rehearseNotification,
  sendNotification,
} from '../../operations/notifications/send.ts'
import { rehearseWithFiles, sendWithFiles } from '../../operations/notifications/send-files.ts'
import { endSnooze, snoozeNotification } from '../../operations/notifications/snooze.ts'
import { dryRunView } from '../../views/dry-run.ts'
import {
  notificationView,
  sentNotificationView,
  shownNotificationView,
  timelineEntryView,
} from '../../views/notifications.ts'
import { pageView } from '../../views/page.ts'
import { receiptView } from '../../views/receipts.ts'
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'
import { route, table } from '../route.ts'

const toSend = { resource: 'notifications', level: 'send' } as const
const ofOne = { params: NotificationParams, problems: ['notification.not_found', 'request.validation_failed'] } as const

// The problems of what a message says.
export const MESSAGE = [
  'notification.invalid',
  'notification.activity_not_found',
  'notification.answer_url_unavailable',
  'notification.encrypted_too_large',
  'file.in_use',
  'notification_receipt.disabled',
  'escalation.unknown',
  'escalation.after_expiry',
] as const
// The problems of whom it is for.
export const TARGET = [
  'org.target_unavailable',
  'org.target_invalid',
  'integration_key.target_denied',
  'org.target_unknown',
] as const

export const notificationRoutes = (ctx: Context) =>
  table({ tag: 'Notifications' }, [
    route('POST /notifications', {
      id: 'createNotification',
      summary: 'Send a notification',
      description:
        'The notification is stored before it is pushed. The response waits at most three seconds for the push services; pushes that are not done by then go on in the background. As multipart/form-data, the notification is the part `notification`, which comes first, and up to four parts `file` become attachments.',
      access: toSend,
      filesAfter: 'notification',
      countsRefusals: true,
      isIdempotent: true,
      begin(request) {
        request.reservedId = beginSending(ctx)
      },
      organization: true,
      query: DryRunQuery,
      headers: IdempotencyHeaders,
      body: NotificationInput,
      created: SentNotificationView,
      ok: DryRun,
      callbacks: { receiptEnded: 'ReceiptEnded' },
      problems: [
        ...MESSAGE,
        'notification.not_found',
        'notification_receipt.limit_exceeded',
        'notification.encryption_unavailable',
        ...TARGET,
        'integration_key.slug_invalid',
        'quota.exceeded',
        'file.too_large',
        'file.limit_exceeded',
        'file.not_enabled',
      ],
      handle: async ({ caller, body, mode, publicUrl, request, reply }) => {
        const { uploads, reservedId: reserving } = request
        if (mode === 'dry_run') {
          const options = { publicUrl }
          const rehearsed = uploads
            ? rehearseWithFiles(ctx, caller, body, uploads, options)
            : rehearseNotification(ctx, caller, body, options)
          return notificationDryRunView(await rehearsed)
        }
        const [identified, options] = [idempotentRequest(request), { reserving, publicUrl }]
        const sent = uploads
          ? sendWithFiles(ctx, caller, body, uploads, { ...options, request: identified })
          : sendNotification(ctx, caller, body, identified, options)
        return replyCreated(reply, await sent, sentNotificationView)
      },
    }),

    route('GET /notifications', {
      id: 'listNotifications',
      summary: 'List the inbox, newest first',
      access: toSend,
      organization: true,
      query: NotificationQuery,
      ok: NotificationList,
      problems: ['cursor.invalid'],
      handle: async ({ caller, query }) => pageView(await readInboxPage(ctx, caller, query), shownNotificationView),
    }),

    route('GET /notifications/unread-count', {
      id: 'countUnread',
      summary: 'Count the unread notifications',
      access: toSend,
      ok: UnreadCount,
      handle: async ({ caller }) => ({ count: await unreadCount(ctx, caller) }),
    }),

    route('GET /notifications/:id', {
      id: 'getNotification',
      summary: 'Read a notification',
      access: toSend,
      organization: true,
      ...ofOne,
      ok: NotificationView,
      handle: async ({ caller, params }) => shownNotificationView(await readNotification(ctx, caller, params.id)),
    }),

    route('GET /notifications/:id/timeline', {
      id: 'getTimeline',
      summary: 'Read the delivery history of a notification, per device',
      access: toSend,
      organization: true,
      ...ofOne,
      ok: TimelineView,
      handle: async ({ caller, params }) => ({
        items: (await readTimeline(ctx, caller, params.id)).map(timelineEntryView),
      }),
    }),

    route('POST /notifications/read', {
      id: 'markAsRead',
      summary: 'Mark notifications as read, or as unread again',
      access: 'user',
      body: ReadInput,
      ok: ReadResult,
      handle: async ({ caller, body }) => ({ updated: await markAsRead(ctx, caller, body) }),
    }),

    route('PUT /notifications/:id/snooze', {
      id: 'snoozeNotification',
      summary: 'Hide a notification from the inbox until a time',
      description:
        'It is marked as read and left out of lists. At that time it is unread again and pushed like a new one, which costs no quota.',
      access: 'user',
      params: NotificationParams,
      body: SnoozeInput,
      ok: NotificationView,
      problems: ['notification.not_found', 'notification.ringing'],
      handle: async ({ caller, params, body }) =>
        shownNotificationView(await snoozeNotification(ctx, caller, params.id, body)),
    }),

    route('DELETE /notifications/:id/snooze', {
      id: 'endSnooze',
      summary: 'Show a snoozed notification in the inbox again',
      description: 'It is unread again, and not pushed. One that is not snoozed stays as it is.',
      access: 'user',
      ...ofOne,
      ok: NotificationView,
      handle: async ({ caller, params }) => shownNotificationView(await endSnooze(ctx, caller, params.id)),
    }),

    route('DELETE /notifications', {
      id: 'deleteNotifications',
      summary: 'Delete notifications',
      description: 'Ids that the inbox does not have are ignored.',
      access: 'user',
      organization: true,
      body: DeleteNotificationsInput,
      ok: DeleteNotificationsResult,
      handle: async ({ caller, body }) => ({ deleted: await removeNotifications(ctx, caller, body.ids) }),
    }),

    route('DELETE /notifications/:id', {
      id: 'deleteNotification',
      summary: 'Delete a notification',
      access: 'user',
      organization: true,
      ...ofOne,
      handle: ({ caller, params }) => removeNotification(ctx, caller, params.id),
    }),
  ])

function notificationDryRunView({ notification, receipt, effects }: RehearsedNotification): DryRun {
  const resource = { ...notificationView(notification), receipt: receipt && receiptView(receipt) }
  return dryRunView(notification.pushed ? 'sent' : 'stored', resource, effects)
}

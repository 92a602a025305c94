// Notifications as clients send, list and read them. domain/notifications checks the rules that no schema states.

import { type Static, Type } from 'typebox'
import { ACTION_MEMBERS } from '../actions.ts'
import { AnswerState } from '../answers.ts'
import { closed, NotificationId, Nullable, OneOf, Page, SLUG_PATTERN, Text, Timestamp } from '../fields.ts'
import { AttachmentInput, AttachmentView } from '../files.ts'
import { LIMITS } from '../limits.ts'
import { Target } from '../organizations/target.ts'
import { ReceiptState, ReceiptView } from '../receipts.ts'
import { DELIVERIES, DELIVERY_REASONS } from './delivery.ts'
import { Sound } from './sound.ts'

export const NOTIFICATION_LEVELS = ['passive', 'active', 'time-sensitive', 'critical'] as const
export const MEDIA_TYPES = ['image', 'video', 'audio'] as const
export const FORMATS = ['markdown'] as const
export const TIMELINE_EVENTS = [
  'accepted',
  'stored',
  'muted',
  'quiet_hours',
  'storm',
  'held',
  'push_sent',
  'push_accepted',
  'push_rejected',
  'not_connected',
  'retried',
  'no_receipt',
  'receipt_shared',
  'repeated',
  'escalated',
  'members_added',
  'emailed',
  'email_refused',
  'opened',
  'read',
  'answered',
  'acknowledged',
  'expired',
  'canceled',
  'callback_attempt',
] as const

export const Level = OneOf(NOTIFICATION_LEVELS)
const Url = Text(LIMITS.url.maxChars)

export const NotificationAction = Type.Object(
  {
    id: Text(LIMITS.notification.maxActionIdChars, { minLength: 1 }),
    title: Text(LIMITS.action.maxTitleChars, { minLength: 1 }),
    icon: Type.Optional(ACTION_MEMBERS.icon),
    url: Type.Optional(ACTION_MEMBERS.url),
    method: Type.Optional(ACTION_MEMBERS.method),
    headers: Type.Optional(ACTION_MEMBERS.headers),
    body: Type.Optional(ACTION_MEMBERS.body),
    foreground: Type.Optional(ACTION_MEMBERS.foreground),
    destructive: Type.Optional(Type.Boolean()),
    authentication_required: Type.Optional(Type.Boolean()),
    text_input: Type.Optional(Type.Boolean({ description: 'asks for a line of text; only on silent actions' })),
    text_input_placeholder: Type.Optional(Text(LIMITS.notification.maxTextInputLabelChars)),
    text_input_button_title: Type.Optional(Text(LIMITS.notification.maxTextInputLabelChars)),
  },
  { ...closed, title: 'NotificationAction' },
)
export type NotificationAction = Static<typeof NotificationAction>

// Not Type.Record, for the reason given in actions.ts. The bounds are rules, because breaking them is a 400.
const Metadata = Type.Unsafe<Record<string, string>>({
  title: 'Metadata',
  type: 'object',
  additionalProperties: { type: 'string' },
  description: `at most ${LIMITS.notification.maxMetadataKeys} pairs and ${LIMITS.notification.maxMetadataBytes} bytes`,
})

const Media = Type.Object(
  { url: Text(LIMITS.url.maxChars, { description: 'https' }), type: OneOf(MEDIA_TYPES) },
  { ...closed, title: 'Media' },
)

export const Acknowledge = Type.Object(
  {
    repeat_seconds: Type.Optional(
      Type.Integer({
        minimum: LIMITS.acknowledge.repeatSeconds.min,
        maximum: LIMITS.acknowledge.repeatSeconds.max,
        description: `${LIMITS.acknowledge.repeatSeconds.default} if left out`,
      }),
    ),
    expire_seconds: Type.Optional(
      Type.Integer({
        minimum: LIMITS.acknowledge.expireSeconds.min,
        maximum: LIMITS.acknowledge.expireSeconds.max,
        description: `${LIMITS.acknowledge.expireSeconds.default} if left out`,
      }),
    ),
    action_title: Type.Optional(
      Text(LIMITS.action.maxTitleChars, {
        description: 'the title of the button that is added when no action is recorded by the server',
      }),
    ),
    escalation: Type.Optional(
      Type.String({
        pattern: SLUG_PATTERN,
        description: 'the slug of the escalation policy whose steps are taken until someone acknowledges the alert',
      }),
    ),
  },
  { ...closed, title: 'Acknowledge' },
)

// Text has no lower bound, because clients send "" for text they do not set. domain/notifications requires title and
// body unless `encrypted` holds them.
export const NotificationInput = Type.Object(
  {
    title: Type.Optional(Text(LIMITS.notification.maxTitleChars, { description: 'required unless encrypted is sent' })),
    body: Type.Optional(Text(LIMITS.notification.maxBodyChars, { description: 'required unless encrypted is sent' })),
    subtitle: Type.Optional(Text(LIMITS.notification.maxSubtitleChars)),
    level: Type.Optional(Level),
    volume: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'used only with the level critical' })),
    sound: Type.Optional(Sound),
    thread_id: Type.Optional(Text(LIMITS.notification.maxThreadIdChars)),
    collapse_id: Type.Optional(Text(LIMITS.notification.maxCollapseIdChars)),
    source: Type.Optional(Text(LIMITS.notification.maxSourceChars)),
    source_display_name: Type.Optional(Text(LIMITS.notification.maxSourceDisplayNameChars)),
    format: Type.Optional(OneOf(FORMATS, 'How `body` is marked up, if at all. Pushes carry plain text.')),
    url: Type.Optional(Url),
    media: Type.Optional(Media),
    attachments: Type.Optional(
      Type.Array(AttachmentInput, {
        maxItems: LIMITS.file.maxPerNotification,
        description: 'The first picture among them is shown as media if that is left out.',
      }),
    ),
    actions: Type.Optional(Nullable(Type.Array(NotificationAction, { maxItems: LIMITS.notification.maxActions }))),
    icon_url: Type.Optional(Url),
    metadata: Type.Optional(Metadata),
    activity_slug: Type.Optional(
      Type.String({ pattern: `^$|${SLUG_PATTERN}`, description: 'the slug of an activity' }),
    ),
    push: Type.Optional(Type.Boolean({ description: 'false: inbox only' })),
    target: Type.Optional(Nullable(Target)),
    encrypted: Type.Optional(
      Text(LIMITS.notification.maxEnvelopeChars, { description: 'an envelope of the format pw1' }),
    ),
    acknowledge: Type.Optional(Nullable(Acknowledge)),
    tags: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: LIMITS.acknowledge.maxTags,
        description: 'labels to cancel by; only with acknowledge',
      }),
    ),
    callback_url: Type.Optional(
      Text(LIMITS.url.maxChars, {
        description:
          'https; gets a POST when the alert is acknowledged or expires; only with acknowledge and an integration key',
      }),
    ),
  },
  {
    ...closed,
    title: 'NotificationInput',
    examples: [
      { title: 'Build failed', body: 'main is red since 14:02.', level: 'time-sensitive', source: 'ci' },
      {
        title: 'Deploy?',
        body: 'Version 2.4 is ready.',
        actions: [
          { id: 'yes', title: 'Deploy' },
          { id: 'no', title: 'Not now', destructive: true },
        ],
      },
      {
        title: 'Disk full',
        body: '/var has 0 bytes left.',
        level: 'critical',
        acknowledge: { repeat_seconds: 120 },
        tags: ['server-7'],
        callback_url: 'https://example.org/acknowledged',
      },
    ],
  },
)
export type NotificationInput = Static<typeof NotificationInput>

const Recipients = Type.Object(
  {
    members: Type.Integer({ description: 'The members that it reaches.' }),
    devices: Type.Integer({ description: 'Their devices that are pushed to.' }),
    stored: Type.Integer({ description: 'The members who have it in their inbox by now.' }),
    done: Type.Boolean({ description: 'No more members will get it.' }),
  },
  { title: 'Recipients', description: 'Of a notification of an organization, for the organization itself.' },
)

export const NotificationView = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    subtitle: Type.Optional(Type.String()),
    body: Type.String(),
    thread_id: Type.Optional(Type.String()),
    level: Level,
    sound: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    source_display_name: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String({ description: 'The integration key that sent it.' })),
    url: Type.Optional(Type.String()),
    media_url: Type.Optional(Type.String()),
    media_type: Type.Optional(OneOf(MEDIA_TYPES)),
    attachments: Type.Optional(Type.Array(AttachmentView)),
    actions: Type.Optional(Type.Array(NotificationAction)),
    icon_url: Type.Optional(Type.String()),
    metadata: Type.Optional(Metadata),
    activity_slug: Type.Optional(Type.String()),
    pushed: Type.Boolean(),
    created_at: Timestamp,
    read_at: Type.Optional(Timestamp),
    snoozed_until: Type.Optional(
      Type.String({ format: 'date-time', description: 'It is hidden from the inbox until then.' }),
    ),
    encrypted: Type.Optional(Type.String()),
    format: Type.Optional(OneOf(FORMATS, 'How the sender marked up `body`; plain text if left out.')),
    org_id: Type.Optional(Type.String({ description: 'The organization that sent it, in the inbox of a member.' })),
    org_name: Type.Optional(Type.String()),
    org_notification_id: Type.Optional(Type.Integer({ description: 'Its id for the organization.' })),
    target: Type.Optional(Target),
    recipients: Type.Optional(Recipients),
    answer: Type.Optional(AnswerState),
    receipt: Type.Optional(ReceiptState),
  },
  { title: 'Notification' },
)
export type NotificationView = Static<typeof NotificationView>

export const SentNotificationView = Type.Object(
  {
    ...NotificationView.properties,
    delivery: OneOf(DELIVERIES, 'whether every, some or no device accepted the push'),
    reason: Type.Optional(OneOf(DELIVERY_REASONS, 'why delivery is not all')),
    answerable: Type.Optional(Type.Literal(true, { description: 'an action has no url, so its answer is recorded' })),
    receipt: Type.Optional(ReceiptView),
  },
  { title: 'SentNotification' },
)
export type SentNotificationView = Static<typeof SentNotificationView>

export const NotificationList = Page('NotificationList', NotificationView)
export type NotificationList = Static<typeof NotificationList>

// The parameters of every path with the id of a notification.
export const NotificationParams = Type.Object({ id: NotificationId })

const TimelineEntry = Type.Object(
  {
    at: Timestamp,
    event: OneOf(TIMELINE_EVENTS),
    device: Type.Optional(Type.String({ description: 'The name of the device.' })),
    detail: Type.Optional(Type.String()),
  },
  { title: 'TimelineEntry' },
)
export const TimelineView = Type.Object({ items: Type.Array(TimelineEntry) }, { title: 'Timeline' })
export type TimelineView = Static<typeof TimelineView>

// The events of GET /events: the data that is stored with each type, and the message that the stream sends.
import { type Static, type TSchema, Type } from 'typebox'
import { ActivityView } from '../activities.ts'
import { closed, DeviceId, NotificationId, OneOf, ScheduleId, Timestamp } from '../fields.ts'
import { HEARTBEAT_STATUSES } from '../heartbeats.ts'
import { NotificationView } from '../notifications/notification.ts'
import { ORG_ROLES } from '../organizations/organization.ts'
import { CANCEL_REASONS } from '../receipts.ts'
import { FAILURE_REASONS } from '../schedules.ts'
import { SHARE_DIRECTIONS, SHARE_ROLES } from '../shares.ts'

const NotificationReference = Type.Object({ id: NotificationId }, { ...closed, title: 'NotificationReference' })
// The notification is gone, so the event says by which names apps of other services know it.
const NotificationDeleted = Type.Object(
  {
    id: NotificationId,
    source: Type.Optional(Type.String()),
    sequence: Type.Optional(
      Type.String({
        description: 'By which its sender updates it, if it came through the interface of ntfy.',
      }),
    ),
    stays_on_apps: Type.Optional(
      Type.Boolean({
        description: 'Apps of other services keep what they show, such as a later message of the sequence.',
      }),
    ),
  },
  { ...closed, title: 'NotificationDeleted' },
)
const ScheduleReference = Type.Object({ id: ScheduleId }, { ...closed, title: 'ScheduleReference' })
const HeartbeatReference = Type.Object({ slug: Type.String() }, { ...closed, title: 'HeartbeatReference' })
const HeartbeatChange = Type.Object(
  { slug: Type.String(), status: OneOf(HEARTBEAT_STATUSES) },
  { ...closed, title: 'HeartbeatChange' },
)
const EscalationReference = Type.Object({ slug: Type.String() }, { ...closed, title: 'EscalationReference' })
const WidgetReference = Type.Object({ slug: Type.String() }, { ...closed, title: 'WidgetReference' })
const WallChange = Type.Object({}, { ...closed, title: 'WallChange' })
const ActivityReference = Type.Union([
  Type.Object({ slug: Type.String() }, { ...closed, title: 'OwnActivityReference' }),
  Type.Object(
    { slug: Type.String(), id: Type.String(), kind: Type.Literal('shared') },
    { ...closed, title: 'SharedActivityReference' },
  ),
])
const ShareChange = Type.Object(
  {
    id: Type.String(),
    direction: OneOf(SHARE_DIRECTIONS),
    role: OneOf(SHARE_ROLES),
    slug: Type.Optional(Type.String()),
    slug_pattern: Type.Optional(Type.String()),
  },
  { ...closed, title: 'ShareChange' },
)
const DeviceReference = Type.Object({ id: DeviceId }, { ...closed, title: 'DeviceReference' })
const OrgReference = Type.Object({ id: Type.String() }, { ...closed, title: 'OrgReference' })
// In the feed of a member `id` is the organization, in the feed of the organization it is the member.
const MembershipChange = Type.Object(
  { id: Type.String(), role: Type.Optional(OneOf(ORG_ROLES)) },
  { ...closed, title: 'MembershipChange' },
)
const HookReference = Type.Object({ id: Type.String() }, { ...closed, title: 'HookReference' })
const HookReceived = Type.Object(
  { id: Type.String(), number: Type.Integer({ description: 'The number of the request.' }) },
  { ...closed, title: 'HookReceived' },
)
const KeyReference = Type.Object({ id: Type.String() }, { ...closed, title: 'KeyReference' })

const MuteReference = Type.Object({ id: Type.String() }, { ...closed, title: 'MuteReference' })
const QuietHoursChange = Type.Object({}, { ...closed, title: 'QuietHoursChange' })
const SessionReference = Type.Object({ id: Type.String() }, { ...closed, title: 'SessionReference' })
const PasskeyReference = Type.Object({ id: Type.String() }, { ...closed, title: 'PasskeyReference' })

const NotificationsRead = Type.Union([
  Type.Object({ ids: Type.Array(NotificationId) }, { ...closed, title: 'SomeRead' }),
  Type.Object({ all: Type.Literal(true) }, { ...closed, title: 'AllRead' }),
])

const NotificationsUnread = Type.Object({ ids: Type.Array(NotificationId) }, { ...closed, title: 'SomeUnread' })

const NotificationSnoozed = Type.Object(
  { id: NotificationId, until: Timestamp },
  { ...closed, title: 'NotificationSnoozed' },
)

const NotificationAnswered = Type.Object(
  { id: NotificationId, action_id: Type.String(), text: Type.Optional(Type.String()) },
  { ...closed, title: 'NotificationAnswered' },
)

const ReceiptChange = Type.Object(
  {
    id: NotificationId,
    repeats_sent: Type.Integer(),
    escalated_steps: Type.Optional(Type.Integer()),
    action_id: Type.Optional(Type.String()),
    cancel_reason: Type.Optional(OneOf(CANCEL_REASONS)),
  },
  { ...closed, title: 'ReceiptChange' },
)

const skipped = { description: 'The number of sends of the series that were left out.' }
const ScheduleSent = Type.Object(
  { id: ScheduleId, notification_id: NotificationId, skipped: Type.Optional(Type.Integer(skipped)) },
  { ...closed, title: 'ScheduleSent' },
)
const ScheduleSkipped = Type.Object(
  { id: ScheduleId, skipped: Type.Integer(skipped), reason: OneOf(['quota_exceeded']) },
  { ...closed, title: 'ScheduleSkipped' },
)
const ScheduleFailed = Type.Object(
  { id: ScheduleId, failure_reason: OneOf(FAILURE_REASONS) },
  { ...closed, title: 'ScheduleFailed' },
)

// What is stored: references, because the state they refer to may change before a client reads the event.
export const EVENT_DATA = {
  'notification.created': NotificationReference,
  'notification.read': NotificationsRead,
  'notification.unread': NotificationsUnread,
  'notification.snoozed': NotificationSnoozed,
  'notification.woken': NotificationReference,
  'notification.deleted': NotificationDeleted,
  'notification.answered': NotificationAnswered,
  'receipt.created': ReceiptChange,
  'receipt.repeated': ReceiptChange,
  'receipt.escalated': ReceiptChange,
  'receipt.acknowledged': ReceiptChange,
  'receipt.expired': ReceiptChange,
  'receipt.canceled': ReceiptChange,
  'schedule.created': ScheduleReference,
  'schedule.updated': ScheduleReference,
  'schedule.sent': ScheduleSent,
  'schedule.skipped': ScheduleSkipped,
  'schedule.failed': ScheduleFailed,
  'schedule.canceled': ScheduleReference,
  'schedule.deleted': ScheduleReference,
  'heartbeat.up': HeartbeatChange,
  'heartbeat.late': HeartbeatChange,
  'heartbeat.down': HeartbeatChange,
  'heartbeat.paused': HeartbeatChange,
  'heartbeat.updated': HeartbeatChange,
  'heartbeat.deleted': HeartbeatReference,
  'escalation.updated': EscalationReference,
  'escalation.deleted': EscalationReference,
  'widget.updated': WidgetReference,
  'widget.deleted': WidgetReference,
  'wall.updated': WallChange,
  'activity.created': ActivityReference,
  'activity.updated': ActivityReference,
  'activity.started': ActivityReference,
  'activity.ended': ActivityReference,
  'activity.preempted': ActivityReference,
  'activity.answered': ActivityReference,
  'activity.deleted': ActivityReference,
  'share.created': ShareChange,
  'share.updated': ShareChange,
  'share.deleted': ShareChange,
  'device.registered': DeviceReference,
  'device.updated': DeviceReference,
  'device.pending': DeviceReference,
  'device.deleted': DeviceReference,
  'key.created': KeyReference,
  'key.updated': KeyReference,
  'key.deleted': KeyReference,
  'mute.updated': MuteReference,
  'mute.deleted': MuteReference,
  'quiet_hours.updated': QuietHoursChange,
  'session.created': SessionReference,
  'session.deleted': SessionReference,
  'passkey.created': PasskeyReference,
  'passkey.deleted': PasskeyReference,
  'hook.created': HookReference,
  'hook.updated': HookReference,
  'hook.deleted': HookReference,
  'hook.received': HookReceived,
  'org.joined': MembershipChange,
  'org.updated': MembershipChange,
  'org.left': MembershipChange,
  'org.member_joined': MembershipChange,
  'org.member_updated': MembershipChange,
  'org.member_left': MembershipChange,
  'org.group_updated': OrgReference,
  'org.group_deleted': OrgReference,
  'org.tag_updated': OrgReference,
  'org.tag_deleted': OrgReference,
  'org.invitation_created': OrgReference,
  'org.invitation_deleted': OrgReference,
} as const satisfies Record<string, TSchema>

// Told to apps of other services only; not part of the stream.
export const HIDDEN_EVENT_DATA = {
  // A message of UnifiedPush for another app on a phone.
  'push.received': Type.Object({ message_id: Type.String() }, closed),
  // What the ntfy app shows of a live activity, in the place of `removes`.
  'activity.shown': Type.Object(
    {
      activity_id: Type.String(),
      removes: Type.Optional(Type.String()),
      shown: Type.Optional(
        Type.Object(
          {
            step: Type.Integer(),
            sequence: Type.String(),
            title: Type.String(),
            message: Type.String(),
            priority: Type.Integer(),
            url: Type.Optional(Type.String()),
            round: Type.Optional(Type.Integer()),
            shared: Type.Optional(Type.Boolean()),
            options: Type.Optional(Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, closed))),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
} as const satisfies Record<string, TSchema>

export type HiddenEventType = keyof typeof HIDDEN_EVENT_DATA
export type HiddenEventData<Type extends HiddenEventType> = Static<(typeof HIDDEN_EVENT_DATA)[Type]>
export const HIDDEN_EVENT_TYPES = Object.keys(HIDDEN_EVENT_DATA) as HiddenEventType[]

export type EventType = keyof typeof EVENT_DATA
export type ActivityEventType = Extract<EventType, `activity.${string}`>

export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[]

export const isActivityEventType = (type: EventType): type is ActivityEventType => type.startsWith('activity.')

export type EventData<Type extends EventType> = Static<(typeof EVENT_DATA)[Type]>

type Document<Type extends EventType> = Type extends 'notification.created'
  ? NotificationView
  : Type extends ActivityEventType
    ? ActivityView
    : never

export type EventMessage = {
  [Type in EventType]: { id: number; type: Type; at: string; data: EventData<Type> | Document<Type> }
}[EventType]

export const EVENT_MESSAGES: Record<EventType, TSchema> = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, messageSchema(type)]),
) as Record<EventType, TSchema>

function messageSchema(type: EventType): TSchema {
  return Type.Object(
    {
      id: Type.Integer({ description: 'The number of the event. Send it as Last-Event-ID to resume after it.' }),
      type: Type.Literal(type),
      at: Timestamp,
      data: sentData(type),
    },
    { title: `${inPascalCase(type)}Event` },
  )
}

// The stream adds the document to its reference; a document that was deleted since leaves the reference.
function sentData(type: EventType): TSchema {
  if (type === 'notification.created') return Type.Union([NotificationView, NotificationReference])
  return isActivityEventType(type) ? Type.Union([ActivityView, ActivityReference]) : EVENT_DATA[type]
}

function inPascalCase(type: EventType): string {
  return type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
}

// The data of the `reset` message, which has no `type` in it.
export const EventReset = Type.Object({}, { ...closed, title: 'EventReset' })

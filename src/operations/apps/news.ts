// Turns the events of an account into news for apps of other services. Events are read together: the number of statements
// does not grow with them.
import type { AppMessage, AppNews, AppWithdrawal, MessageName } from '../../domain/apps/news.ts'
import type { AppCaller, UserId } from '../../domain/caller.ts'
import { messageIdOf } from '../../domain/doors/ntfy/message-id.ts'
import type { AppEvent } from '../../domain/events.ts'
import { heldBy } from '../../domain/holds/hold.ts'
import type { Instant } from '../../domain/instant.ts'
import { isPushedTo, type Notification, type NotificationId } from '../../domain/notifications/notification.ts'
import { levelOfAlert } from '../../domain/receipts/escalation.ts'
import { isRepeatWanted, type Receipt } from '../../domain/receipts/receipt.ts'
import { listShows } from '../../store/activities/app-shows.ts'
import { listMessageExtras, listMessageNames, listReadAt, type MessageExtras } from '../../store/apps/messages.ts'
import { listPushMessages, type PushMessageRow } from '../../store/apps/push-endpoints.ts'
import type { Reader } from '../../store/engine/database.ts'
import { holdsPushes, readHoldRules } from '../../store/holds/hold-rules.ts'
import { listNotifications } from '../../store/notifications/notifications.ts'
import { listMemberships } from '../../store/organizations/memberships.ts'
import { listReceiptsOf } from '../../store/receipts.ts'

// Apps show no more messages than these.
const CLEARED_AT_ONCE = 100

type Recipient = Pick<AppCaller, 'userId' | 'app' | 'deviceId'>

// The news of each of the events. Those of a notification that was deleted since are left out; its deletion is an event of
// its own.
export async function readNews(db: Reader, caller: Recipient, events: AppEvent[], now: Instant): Promise<AppNews[][]> {
  const subject = await readSubject(db, caller, events, now)
  return events.map((event) => newsOf(subject, event, now))
}

type Moment = Pick<AppEvent, 'number' | 'at'>

function newsOf(subject: Subject, event: AppEvent, now: Instant): AppNews[] {
  switch (event.type) {
    case 'notification.created':
      return created(subject, event, event.data.id)
    case 'receipt.repeated':
    case 'receipt.escalated':
      return repeated(subject, event, now)
    case 'notification.read':
    case 'notification.answered':
    case 'receipt.acknowledged':
    case 'receipt.canceled':
      return cleared(subject, event, subject.cleared.get(event.number) ?? [])
    case 'notification.deleted':
      return deleted(subject, event)
    case 'push.received':
      return received(subject, event)
    case 'activity.shown':
      return shownActivity(subject, event)
    default:
      return []
  }
}

// A message takes the place of the one with its collapse id. That one is deleted, and the new one has a name of its own,
// because an update of a message that is on the screen makes no sound. A sender of ntfy names what an update replaces.
function created(subject: Subject, event: Moment, id: NotificationId): AppNews[] {
  const message = messageOf(subject, event, id, 0)
  if (!message) return []
  const replacedId = message.name.sequence === undefined ? subject.extras.get(id)?.replacedId : undefined
  const replaced = replacedId === undefined ? undefined : subject.names.get(replacedId)
  return replaced && !replaced.isReplaced ? [message, withdrawal('delete', event, replaced)] : [message]
}

function messageOf(
  subject: Subject,
  { number, at }: Moment,
  id: NotificationId,
  repeat: number,
): AppMessage | undefined {
  const notification = subject.notifications.get(id)
  if (!notification) return undefined
  const { source, org } = notification
  const record = subject.extras.get(id)?.record
  const sequence = record?.door === 'ntfy' ? (record.sequence ?? messageIdOf(org?.notificationId ?? id)) : undefined
  const name = { notificationId: id, source, sequence, repeat }
  return { kind: 'message', event: number, at, name, notification, record, isSilent: subject.silent.has(id) }
}

// A step of an escalation policy is a repeat, too. The message before is deleted even if nobody wants this repeat any more:
// an app that was offline still shows it.
function repeated(
  subject: Subject,
  event: Extract<AppEvent, { type: 'receipt.repeated' | 'receipt.escalated' }>,
  now: Instant,
): AppNews[] {
  const { id, repeats_sent: repeat } = event.data
  const name = subject.names.get(id)
  if (!name) return []
  const before = withdrawal('delete', event, { ...name, repeat: repeat - 1 })
  const message = messageOf(subject, event, id, repeat)
  const receipt = message && receiptOf(subject, message.notification)
  if (!receipt || !isRepeatWanted(receipt, repeat, now)) return [before]
  const { notification } = message
  return [before, { ...message, notification: { ...notification, level: levelOfAlert(notification.level, receipt) } }]
}

function cleared({ names }: Subject, event: Moment, ids: NotificationId[]): AppNews[] {
  return ids.flatMap((id) => {
    const name = names.get(id)
    return name && !name.isReplaced ? [withdrawal('clear', event, name)] : []
  })
}

// The receipt of a person outlives its notification, so it tells which repeat the phone shows.
function deleted({ receipts }: Subject, event: Extract<AppEvent, { type: 'notification.deleted' }>): AppWithdrawal[] {
  const { id, source, sequence, stays_on_apps } = event.data
  if (stays_on_apps) return []
  const repeat = receipts.get(id)?.repeatsSent ?? 0
  const name = { notificationId: id, source, sequence }
  const repeats = repeat > 0 ? [0, repeat] : [0]
  return repeats.map((one) => withdrawal('delete', event, { ...name, repeat: one }))
}

// Undefined once it has expired, or a later one has taken its place.
function received({ data }: Subject, event: Extract<AppEvent, { type: 'push.received' }>): AppNews[] {
  const message = data.get(event.data.message_id)
  if (!message) return []
  const { endpointId, body, priority, expiresAt } = message
  return [{ kind: 'data', event: event.number, at: event.at, endpointId, body, priority, expiresAt }]
}

// Of an activity only the newest message counts.
function shownActivity({ steps }: Subject, event: Extract<AppEvent, { type: 'activity.shown' }>): AppNews[] {
  const { activity_id: activityId, removes, shown } = event.data
  const head = { kind: 'activity', event: event.number, at: event.at, activityId } as const
  const news: AppNews[] = removes === undefined ? [] : [{ ...head, sequence: removes }]
  if (shown && steps.get(activityId) === shown.step) news.push({ ...head, sequence: shown.sequence, shown })
  return news
}

const withdrawal = (kind: AppWithdrawal['kind'], { number, at }: Moment, name: MessageName): AppWithdrawal => ({
  kind,
  event: number,
  at,
  name,
})

// What is known of the notifications that events are about. `cleared`: by the number of the event. `silent`: those
// that this device gets no push of.
type Subject = {
  notifications: Map<NotificationId, Notification>
  extras: Map<NotificationId, MessageExtras>
  names: Map<NotificationId, MessageName>
  receipts: Map<NotificationId, Receipt>
  cleared: Map<number, NotificationId[]>
  silent: Set<NotificationId>
  data: Map<string, PushMessageRow>
  steps: Map<string, number>
}

async function readSubject(
  db: Reader,
  { userId, app, deviceId }: Recipient,
  events: AppEvent[],
  now: Instant,
): Promise<Subject> {
  const shown: NotificationId[] = []
  const repeatedIds: NotificationId[] = []
  const deletedIds: NotificationId[] = []
  const cleared: Subject['cleared'] = new Map()
  const posted: string[] = []
  const activityIds: string[] = []
  for (const event of events) {
    if (event.type === 'push.received') posted.push(event.data.message_id)
    else if (event.type === 'activity.shown') activityIds.push(event.data.activity_id)
    else if (event.type === 'notification.created') shown.push(event.data.id)
    else if (event.type === 'receipt.repeated' || event.type === 'receipt.escalated') repeatedIds.push(event.data.id)
    else if (event.type === 'notification.deleted') deletedIds.push(event.data.id)
    else cleared.set(event.number, await clearedIds(db, userId, event))
  }
  const ids = unique([...shown, ...repeatedIds])
  const [found, extras] = await Promise.all([
    listNotifications(db, userId, ids),
    listMessageExtras(db, userId, ids, app),
  ])
  const notifications = new Map(found.map((one) => [one.id, one]))
  const replaced = [...extras.values()].flatMap(({ replacedId }) => replacedId ?? [])
  const names = await readNames(db, userId, unique([...repeatedIds, ...replaced, ...[...cleared.values()].flat()]))
  const alerts = repeatedIds.flatMap((id) => notifications.get(id) ?? [])
  const receipts = await readReceipts(db, userId, alerts, deletedIds)
  const entries = found.filter(({ org, pushed }) => org && pushed)
  const held = await heldEntries(db, userId, entries, extras, now)
  for (const one of found) if (!one.pushed || !isPushedTo(one, deviceId)) held.add(one.id)
  const messages = app === 'ntfy' ? await listPushMessages(db, userId, deviceId, posted, now) : []
  const data = new Map(messages.map((one) => [one.id, one]))
  const shows = await listShows(db, userId, 'ntfy', [...new Set(activityIds)])
  const steps = new Map(shows.map(({ activityId, step }) => [String(activityId), step]))
  return { notifications, extras, names, receipts, cleared, silent: held, data, steps }
}

const unique = (ids: NotificationId[]): NotificationId[] => [...new Set(ids)]

async function clearedIds(db: Reader, userId: UserId, event: AppEvent): Promise<NotificationId[]> {
  switch (event.type) {
    case 'notification.read': {
      const { data } = event
      const ids = 'ids' in data ? data.ids : await listReadAt(db, userId, event.at, CLEARED_AT_ONCE)
      // In the order of the inbox, in which their places must stay.
      return ids.slice(0, CLEARED_AT_ONCE).toSorted((one, other) => one - other)
    }
    case 'notification.answered':
    case 'receipt.acknowledged':
    case 'receipt.canceled':
      return [event.data.id]
    default:
      return []
  }
}

// A statement has so many ids at most.
const NAMES_AT_ONCE = 500

async function readNames(db: Reader, userId: UserId, ids: NotificationId[]): Promise<Subject['names']> {
  const names: MessageName[] = []
  for (let start = 0; start < ids.length; start += NAMES_AT_ONCE) {
    names.push(...(await listMessageNames(db, userId, ids.slice(start, start + NAMES_AT_ONCE))))
  }
  return new Map(names.map((name) => [name.notificationId, name]))
}

const receiptIdOf = ({ org, id }: Notification): NotificationId => org?.notificationId ?? id
const receiptOf = ({ receipts }: Subject, notification: Notification) => receipts.get(receiptIdOf(notification))

// `alerts`: those that are repeated. The receipt of an alert of an organization is the organization's.
async function readReceipts(
  db: Reader,
  userId: UserId,
  alerts: Notification[],
  deletedIds: NotificationId[],
): Promise<Subject['receipts']> {
  const owners = new Set<UserId>([userId, ...alerts.flatMap(({ org }) => org?.id ?? [])])
  const receipts = await listReceiptsOf(db, [...owners], unique([...alerts.map(receiptIdOf), ...deletedIds]))
  return new Map(receipts.map((receipt) => [receipt.notificationId, receipt]))
}

// `entries`: of organizations. Members who have muted one, or whose own mutes or quiet hours hold an entry, get no push of it.
async function heldEntries(
  db: Reader,
  userId: UserId,
  entries: Notification[],
  extras: Subject['extras'],
  now: Instant,
): Promise<Set<NotificationId>> {
  if (entries.length === 0) return new Set()
  const memberships = await listMemberships(db, userId)
  const rules = (await holdsPushes(db, userId)) ? await readHoldRules(db, userId) : undefined
  const isMuted = ({ org }: Notification) =>
    memberships.some(({ org: { id }, mutedUntil }) => id === org?.id && mutedUntil !== null && mutedUntil > now)
  const isHeld = ({ id, level, source, threadId, keyId }: Notification) => {
    const isAlert = extras.get(id)?.isAlert === true
    return rules && heldBy({ level, source, threadId, keyId, isAlert, push: true }, rules, now) !== undefined
  }
  return new Set(entries.filter((entry) => isMuted(entry) || isHeld(entry)).map(({ id }) => id))
}

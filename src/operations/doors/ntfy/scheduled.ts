// Messages that wait to be sent, for subscribers of ntfy who ask for them.
import { type NtfyEvent, type Recipient, scheduledEvent, toNtfy } from '../../../domain/doors/ntfy/outgoing.ts'
import type { NtfyMessage } from '../../../domain/doors/ntfy/publication.ts'
import { type NtfySubscription, passesFilters, topicsWith } from '../../../domain/doors/ntfy/subscription.ts'
import { draftNotification } from '../../../domain/notifications/draft.ts'
import { openForServer } from '../../../domain/organizations/limit.ts'
import type { Schedule } from '../../../domain/schedules/schedule.ts'
import { listPending } from '../../../store/schedules.ts'
import type { Context } from '../../context.ts'

export async function scheduledEvents(
  ctx: Context,
  { userId, topics, filters, deviceId }: Recipient,
  { withScheduled, since }: NtfySubscription,
): Promise<NtfyEvent[]> {
  if (!withScheduled || since.kind === 'none') return []
  const found = await ctx.slices(userId, () => listPending(ctx.db.read, { userId, keyId: null }))
  // The app is that of a person, who sees all schedules of the account.
  const pending = found.flatMap((one) => openForServer(one) ?? [])
  const inOrder = pending.toSorted((one, other) => one.sendAt - other.sendAt)
  return inOrder.flatMap((schedule) => {
    const [topic] = topicsWith(schedule.input.source, topics)
    const message = messageOf(ctx, schedule, deviceId)
    const id = idOf(schedule)
    const isWanted = topic !== undefined && (filters.id ?? id) === id && passesFilters(filters, message)
    return isWanted ? [scheduledEvent(id, topic, schedule.sendAt, message)] : []
  })
}

// Nobody can answer before it is sent.
function messageOf({ config }: Context, { input, keyId }: Schedule, deviceId: string): NtfyMessage {
  if (input.door?.door === 'ntfy') return input.door.message as NtfyMessage
  const draft = draftNotification(input, { isKey: keyId !== null, outboundAllow: config.outboundAllow })
  return toNtfy(draft, { url: undefined, deviceId })
}

// Senders of ntfy have the id of the message already.
const idOf = ({ input: { door }, id }: Schedule): string =>
  door?.sequence !== undefined && /^s[0-9A-Za-z]{11}$/.test(door.sequence)
    ? door.sequence
    : `s${String(id).padStart(11, '0')}`

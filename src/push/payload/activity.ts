// An activity as devices receive it: an ActivityKit push, or a message for our service worker. Never larger than the
// push services take.
import { LIMITS } from '../../contract/limits.ts'
import type { Activity, ActivityPushEvent, Sound } from '../../domain/activities/activity.ts'
import { staleAt } from '../../domain/activities/clock.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import type { History } from '../../domain/activities/timeline-history.ts'
import { type Instant, plusSeconds, toUnixSeconds } from '../../domain/instant.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { type FittedActivity, fitActivity } from './fit-activity.ts'

export type ActivityPush = {
  activity: Pick<Activity, 'id' | 'slug' | 'name' | 'state' | 'priority' | 'content'> &
    Pick<Activity, 'stateAt' | 'updatedAt' | 'staleTtlSeconds' | 'dismissalTtlSeconds'>
  event: ActivityPushEvent
  // Seconds, later than those of every push of this activity before.
  timestamp: number
  history?: History
  sound?: Sound
  // Lets the device answer an approval without a token.
  ticket?: string
}

// The type of the app's attributes.
const ATTRIBUTES_TYPE = 'HeliographActivityAttributes'

export function apnsActivity(push: ActivityPush): string {
  return fitActivity(push, (fitted) => apnsLayout(push, fitted), LIMITS.pushPayloadBytes)
}

export function webPushActivity(push: ActivityPush): string {
  return fitActivity(push, (fitted) => webPushLayout(push, fitted), MAX_PLAINTEXT_BYTES)
}

// A start must be announced; anything else alerts only when it is to be heard. What alerts is delivered at once and
// counts against Apple's budget.
export const isAlerting = ({ event, sound }: ActivityPush): boolean => event === 'start' || sound !== undefined

function apnsLayout(push: ActivityPush, { content, name, shortened }: FittedActivity): object {
  const { activity, event, timestamp, sound, ticket } = push
  const isStart = event === 'start'
  return {
    aps: {
      timestamp,
      event,
      'content-state': { ...content, answer_ticket: ticket, shortened },
      ...(isStart && {
        'attributes-type': ATTRIBUTES_TYPE,
        attributes: { id: activity.id, slug: activity.slug, name },
        // iOS 18 then gives out a token for updates.
        'input-push-token': 1,
      }),
      alert: isAlerting(push) ? { title: name, body: wordsOf(content) } : undefined,
      sound: sound && soundFile(sound),
      'stale-date': event === 'end' ? undefined : secondsOf(staleAt(activity)),
      'dismissal-date': event === 'end' ? secondsOf(dismissalAt(activity)) : undefined,
      'relevance-score': event === 'end' ? undefined : activity.priority,
    },
  }
}

function webPushLayout(push: ActivityPush, { content, name, shortened }: FittedActivity): object {
  const { activity, event, timestamp, sound, ticket } = push
  return {
    type: 'activity',
    event,
    // A notification with the tag of an earlier one takes its place.
    tag: `activity:${activity.slug}`,
    slug: activity.slug,
    name,
    state: activity.state,
    timestamp,
    priority: activity.priority,
    content,
    sound,
    answer_ticket: ticket,
    shortened,
  }
}

const wordsOf = ({ state, subtitle }: ActivityContent): string => String(state ?? subtitle ?? '')

const soundFile = (sound: Sound): string => (sound === 'default' ? sound : `${sound}.caf`)

// Without a word about it the system keeps an ended one for up to four hours; a preempted one makes room at once.
function dismissalAt({ state, stateAt, dismissalTtlSeconds }: ActivityPush['activity']): Instant | undefined {
  if (state !== 'ended') return stateAt
  return dismissalTtlSeconds === null ? undefined : plusSeconds(stateAt, dismissalTtlSeconds)
}

const secondsOf = (at: Instant | undefined): number | undefined => (at === undefined ? undefined : toUnixSeconds(at))

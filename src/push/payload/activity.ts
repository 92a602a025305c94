// The payload of an activity: an ActivityKit push, or a message for our service worker. It is never larger than push
// services accept.
import { LIMITS } from '../../contract/limits.ts'
import type { Sound } from '../../domain/activities/activity.ts'
import { staleAt } from '../../domain/activities/clock.ts'
import type { ActivityContent } from '../../domain/activities/templates/content.ts'
import { type Instant, plusSeconds, toUnixSeconds } from '../../domain/instant.ts'
import type { ActivityPush } from '../../domain/push.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { type FittedActivity, fitActivity } from './fit-activity.ts'

// The name of the ActivityAttributes type in the app.
const ATTRIBUTES_TYPE = 'HeliographActivityAttributes'

export function apnsActivity(push: ActivityPush): string {
  return fitActivity(push, (fitted) => apnsLayout(push, fitted), LIMITS.push.maxPayloadBytes)
}

export function webPushActivity(push: ActivityPush): string {
  return fitActivity(push, (fitted) => webPushLayout(push, fitted), MAX_PLAINTEXT_BYTES)
}

// ActivityKit requires an alert for a start; later pushes alert only with a sound. An alert is delivered at once and counts
// against Apple's budget.
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
        // Makes iOS 18 issue a token for updates.
        'input-push-token': 1,
      }),
      alert: isAlerting(push) ? { title: name, body: alertBody(content) } : undefined,
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
    // A banner replaces an earlier one with the same tag.
    tag: `activity:${activity.id}`,
    id: activity.id,
    slug: activity.slug,
    name,
    state: activity.state,
    timestamp,
    priority: activity.priority,
    content,
    sound,
    answer_ticket: ticket,
    shortened,
    // Closes the banner instead of showing the end.
    dismiss: (event === 'end' && dismissalAt(activity) === activity.stateAt) || undefined,
  }
}

const alertBody = ({ state, subtitle }: ActivityContent): string => String(state ?? subtitle ?? '')

const soundFile = (sound: Sound): string => (sound === 'default' ? sound : `${sound}.caf`)

// Without a date iOS keeps an ended activity for up to four hours; a preempted one is removed at once.
function dismissalAt({ state, stateAt, dismissalTtlSeconds }: ActivityPush['activity']): Instant | undefined {
  if (state !== 'ended') return stateAt
  return dismissalTtlSeconds === null ? undefined : plusSeconds(stateAt, dismissalTtlSeconds)
}

const secondsOf = (at: Instant | undefined): number | undefined => (at === undefined ? undefined : toUnixSeconds(at))

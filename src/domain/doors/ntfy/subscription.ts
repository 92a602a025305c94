// What a subscriber of ntfy asks for: topics, where to begin, and which messages.
import { isAppPassword } from '../../apps/password.ts'
import { fromUnixSeconds, type Instant, plusSeconds } from '../../instant.ts'
import { readDuration } from './delay.ts'
import { isYes, readPriority, readTags } from './parameters.ts'
import { isNtfyName, type NtfyMessage } from './publication.ts'
import { NtfyRefusal } from './refusal.ts'

// `latest`: the newest message of each topic.
export type Since = { kind: 'all' | 'none' | 'latest' } | { kind: 'id'; id: string } | { kind: 'time'; from: Instant }

export type MessageFilters = {
  id?: string
  message?: string
  title?: string
  // Any of these.
  priorities?: number[]
  // All of these.
  tags?: string[]
}

export type NtfySubscription = {
  topics: string[]
  since: Since
  // The answer ends with the last message that there is.
  isPoll: boolean
  withScheduled: boolean
  filters: MessageFilters
}

// `topics`: as the path has them. `parameter`: the value of the first of these names that the request has.
export function readSubscription(
  topics: string,
  parameter: (...names: string[]) => string | undefined,
  now: Instant,
): NtfySubscription {
  const isPoll = isYes(parameter('x-poll', 'poll', 'po'))
  return {
    topics: readTopics(topics),
    since: readSince(parameter('x-since', 'since', 'si'), isPoll, now),
    isPoll,
    withScheduled: isYes(parameter('x-scheduled', 'scheduled', 'sched')),
    filters: {
      id: parameter('x-id', 'id'),
      message: parameter('x-message', 'message', 'm'),
      title: parameter('x-title', 'title', 't'),
      priorities: readTags(parameter('x-priority', 'priority', 'prio', 'p'))?.map((one) => readPriority(one) ?? 3),
      tags: readTags(parameter('x-tags', 'tags', 'tag', 'ta')),
    },
  }
}

// A path that ntfy does not have is an unknown page, not a bad request.
export function readTopics(text: string): string[] {
  const topics = text.split(',')
  if (!topics.every(isNtfyName)) throw new NtfyRefusal(40401)
  return [...new Set(topics)]
}

const MESSAGE_ID = /^[0-9A-Za-z]{12}$/

function readSince(text: string | undefined, isPoll: boolean, now: Instant): Since {
  if (text === undefined) return { kind: isPoll ? 'all' : 'none' }
  if (text === 'all' || text === 'none' || text === 'latest') return { kind: text }
  if (MESSAGE_ID.test(text)) return { kind: 'id', id: text }
  if (/^\d{1,11}$/.test(text)) return { kind: 'time', from: fromUnixSeconds(Number(text)) }
  const seconds = readDuration(text)
  if (seconds === undefined) throw new NtfyRefusal(40008)
  return { kind: 'time', from: plusSeconds(now, -seconds) }
}

// The id is not looked at.
export function passesFilters({ message, title, priorities, tags }: MessageFilters, given: NtfyMessage): boolean {
  if (message !== undefined && given.message !== message) return false
  if (title !== undefined && given.title !== title) return false
  // Apps show a message without a priority as 3.
  if (priorities && !priorities.includes(given.priority || 3)) return false
  return !tags || tags.every((tag) => given.tags?.includes(tag))
}

// The topic with everything.
export const INBOX_TOPIC = 'inbox'
// The topic with live activities. A source of this name is in the inbox only.
export const ACTIVITIES_TOPIC = 'activities'

// Links that subscribe the app have no room for a password, so in them the password is the topic, and it has everything, too.
export const isInboxTopic = (topic: string): boolean => topic === INBOX_TOPIC || isAppPassword(topic)

const MOST_TOPIC_CHARS = 64

// Sources are free text, topics are not.
const slugOf = (source: string): string =>
  source
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^-_A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, MOST_TOPIC_CHARS)

// Those of the topics that have the messages of a source, the topic of the source first.
export function topicsWith(source: string | undefined, topics: string[]): string[] {
  const isOfNone = (topic: string) => isInboxTopic(topic) || topic === ACTIVITIES_TOPIC
  const ofSource = topics.filter((topic) => !isOfNone(topic) && isOfSource(topic, source))
  return [...ofSource, ...topics.filter(isInboxTopic)]
}

const isOfSource = (topic: string, source: string | undefined): boolean =>
  source !== undefined && (source === topic || slugOf(source) === topic)

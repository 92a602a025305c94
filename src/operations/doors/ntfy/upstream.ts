// Poll requests for iPhones. The ntfy app for iOS has no connection to this server: Apple wakes it through ntfy.sh, which
// this server asks to do so. Only the hash of a topic's address and the id of a message leave this server.
import { createHash } from 'node:crypto'
import { isAppPassword } from '../../../domain/apps/password.ts'
import type { AppCaller, UserId } from '../../../domain/caller.ts'
import type { DeviceId } from '../../../domain/devices.ts'
import { messageIdOf } from '../../../domain/doors/ntfy/message-id.ts'
import { topicsWith } from '../../../domain/doors/ntfy/subscription.ts'
import { isEndpointName } from '../../../domain/doors/ntfy/unified-push.ts'
import { findDevice } from '../../../store/devices/devices.ts'
import { type AppTopic, insertAppTopic, listAppTopics } from '../../../store/doors/ntfy.ts'
import type { Job } from '../../../store/jobs.ts'
import { findNotification } from '../../../store/notifications/notifications.ts'
import { incrementUsage } from '../../../store/usage.ts'
import type { Context, JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { isUnifiedPushOn } from './unified-push.ts'

const MOST_TOPICS = 20

// `baseUrl`: the address of the door as the app has it, since the app hashes what was typed.
export async function noteTopics(ctx: Context, caller: AppCaller, topics: string[], baseUrl: string): Promise<void> {
  if (!ctx.config.ntfyUpstream) return
  const { userId, deviceId } = caller
  const known = await listAppTopics(ctx.db.read, userId, deviceId)
  const isKnown = ({ url }: AppTopic) => known.some((one) => one.url === url)
  // Neither passwords nor names of endpoints, which are permissions to post, are stored. The app for iPhones has neither.
  const isSecret = (topic: string) => isAppPassword(topic) || (isUnifiedPushOn(ctx.config) && isEndpointName(topic))
  const asked = topics.filter((topic) => !isSecret(topic)).map((topic) => ({ topic, url: `${baseUrl}/${topic}` }))
  const added = asked.filter((one) => !isKnown(one)).slice(0, Math.max(MOST_TOPICS - known.length, 0))
  if (added.length === 0) return
  await ctx.db.transact(async (tx) => {
    if (!(await findDevice(tx, userId, deviceId))) return
    for (const one of added) await insertAppTopic(tx, userId, deviceId, one)
  })
}

// ntfy.sh takes 250 messages a day from one address.
const PER_DAY = { limit: 200, per: 'day' } as const

export async function requestPoll(ctx: JobContext, { payload }: Job<'request-poll'>): Promise<JobResult> {
  const { ntfyUpstream: upstream } = ctx.config
  const { userId, notificationId, deviceId } = payload
  const notification = await findNotification(ctx.db.read, userId, notificationId)
  if (!upstream || !notification) return { done: true }
  for (const url of await topicUrls(ctx, userId, deviceId, notification.source)) {
    const now = ctx.clock.now()
    if (!(await ctx.db.transact((tx) => incrementUsage(tx, userId, 'poll_requests', PER_DAY, now)))) break
    const hash = createHash('sha256').update(url).digest('hex')
    const headers = { 'x-poll-id': messageIdOf(notificationId), 'user-agent': 'ntfy/2.17.0' }
    // Best effort: the app also asks by itself from time to time.
    const reply = await ctx.postCallback({ url: `${upstream}/${hash}`, headers, body: '', requireHttps: true })
    if (reply.kind !== 'answered' || reply.status >= 300) {
      ctx.log.warn({ upstream, reply }, 'the poll request for an iPhone failed')
    }
  }
  return { done: true }
}

async function topicUrls(
  { db }: Context,
  userId: UserId,
  deviceId: DeviceId,
  source: string | undefined,
): Promise<string[]> {
  const asked = await listAppTopics(db.read, userId, deviceId)
  const [topic] = topicsWith(source, [...new Set(asked.map((one) => one.topic))])
  return asked.filter((one) => one.topic === topic).map(({ url }) => url)
}

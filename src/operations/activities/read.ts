// Reads one activity; an open approval can be waited for.
import type { Activity } from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { SeenActivity } from '../../domain/shares/standing.ts'
import { approvalTopic } from '../../store/activities/activities.ts'
import type { Reader } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { type Wait, waitUntil } from '../wait-until.ts'
import { readBacklog, readHistory } from './records.ts'
import { findSeenActivity } from './seen.ts'

export type ReadRequest = { includeBacklog: boolean; wait: Wait }

// With a wait, the request is held while the activity is an approval without an answer.
export async function readActivity(
  ctx: Context,
  caller: Caller,
  name: string,
  { includeBacklog, wait }: ReadRequest,
): Promise<SeenActivity> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'activities', 'read')
    requireSlug(caller, 'activities', name)
    const seen = await findSeenActivity(ctx.db.read, caller, name)
    const question = questionOf(seen.activity.content)
    const isOpen = question && question.answer === undefined && seen.activity.state === 'ongoing'
    return { value: seen, isFinal: !isOpen }
  }
  const { value: first, isFinal } = await look(caller)
  const topics = [approvalTopic(first.activity.id)]
  const isHeld = wait.seconds > 0 && !isFinal
  const { activity, standing } = isHeld ? await waitUntil(ctx, caller, { ...wait, topics }, look) : first
  // In a slice, because a history or a backlog may have hundreds of kilobytes.
  const complete = await ctx.slices(caller.userId, () => withRecords(ctx.db.read, activity, includeBacklog))
  return { activity: complete, standing }
}

export async function withRecords(db: Reader, activity: Activity, includeBacklog: boolean): Promise<Activity> {
  const { content } = activity
  if (content.template === 'timeline') {
    return { ...activity, content: { ...content, history: await readHistory(db, activity) } }
  }
  if (!includeBacklog || content.template !== 'log') return activity
  return { ...activity, content: { ...content, log_backlog: await readBacklog(db, activity) } }
}

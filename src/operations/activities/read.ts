// Reads one activity; an open approval can be waited for.
import type { Activity } from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { approvalTopic, findActivity } from '../../store/activities/activities.ts'
import type { Reader } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { waitUntil } from '../wait-until.ts'
import { activityNotFound } from './find.ts'
import { readBacklog, readHistory } from './records.ts'

export type ReadRequest = { includeBacklog: boolean; wait: { seconds: number; gone: AbortSignal } }

// With a wait, the request is held while the activity is an approval without an answer.
export async function readActivity(
  ctx: Context,
  caller: Caller,
  slug: string,
  { includeBacklog, wait }: ReadRequest,
): Promise<Activity> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'activities', 'read')
    requireSlug(caller, 'activities', slug)
    const activity = await findActivity(ctx.db.read, caller.userId, slug)
    if (!activity) throw activityNotFound(slug)
    const question = questionOf(activity.content)
    return { value: activity, isFinal: !question || question.answer !== undefined || activity.state !== 'ongoing' }
  }
  const { value: first, isFinal } = await look(caller)
  const topics = [approvalTopic(first.id)]
  const isHeld = wait.seconds > 0 && !isFinal
  const activity = isHeld ? await waitUntil(ctx, caller, { ...wait, topics }, look) : first
  // In a slice, because a history or a backlog may have hundreds of kilobytes.
  return ctx.slices(caller.userId, () => withRecords(ctx.db.read, activity, includeBacklog))
}

export async function withRecords(db: Reader, activity: Activity, includeBacklog: boolean): Promise<Activity> {
  const { content } = activity
  if (content.template === 'timeline') {
    return { ...activity, content: { ...content, history: await readHistory(db, activity) } }
  }
  if (!includeBacklog || content.template !== 'log') return activity
  return { ...activity, content: { ...content, log_backlog: await readBacklog(db, activity) } }
}

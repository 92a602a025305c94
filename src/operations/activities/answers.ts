// Answers to approvals, and snoozes of countdowns, from a device.
import { Problem } from '../../contract/problems.ts'
import { type Activity, ended, touch } from '../../domain/activities/activity.ts'
import { type ApprovalChoice, answered, type Question, questionOf } from '../../domain/activities/templates/approval.ts'
import { snoozed } from '../../domain/activities/templates/countdown.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { ApprovalTicket } from '../../domain/notifications/answer-ticket.ts'
import { requireUser } from '../../domain/permissions.ts'
import { findActivityByIdForUpdate, findActivityByTicket } from '../../store/activities/activities.ts'
import type { Writer } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import { requireActivityForUpdate } from './find.ts'
import { saveAlone } from './save.ts'

export async function answerApproval(ctx: Context, caller: Caller, slug: string, option: string): Promise<Activity> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => recordChoice(tx, await requireActivityForUpdate(tx, caller, slug), option, now))
}

// A ticket is valid for one round: in the next question, an option with the same id may mean something else.
export async function answerApprovalByTicket(
  ctx: Context,
  { activityId, round }: ApprovalTicket,
  option: string,
): Promise<Activity> {
  const now = ctx.clock.now()
  const known = await findActivityByTicket(ctx.db.read, activityId)
  return ctx.db.transact(async (tx) => {
    const activity = known && (await findActivityByIdForUpdate(tx, known.userId, known.id))
    if (!activity || questionOf(activity.content)?.round !== round) {
      throw new Problem('notification_answer.not_found', 'This ticket is unknown or too old.')
    }
    return recordChoice(tx, activity, option, now)
  })
}

export async function snoozeActivity(ctx: Context, caller: Caller, slug: string): Promise<Activity> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const current = await requireActivityForUpdate(tx, caller, slug)
    if (current.state !== 'ongoing' || current.content.template !== 'countdown') {
      throw new Problem(
        'activity.state_invalid',
        `"${slug}" is not an ongoing countdown, so there is nothing to snooze.`,
      )
    }
    return saveAlone(tx, current, { ...touch(current, now), content: snoozed(current.content) }, { now })
  })
}

// The row is locked, so the second of two concurrent answers sees the first.
async function recordChoice(tx: Writer, activity: Activity, option: string, now: Instant): Promise<Activity> {
  const question = openQuestion(activity)
  if (!question.options.some(({ id, url }) => id === option && url === undefined)) {
    throw new Problem('notification_answer.action_unknown', `"${option}" is not one of the options answered here.`)
  }
  const after = ended({ ...touch(activity, now), content: answered(activity.content, option, now) }, now)
  return saveAlone(tx, activity, after, { now, event: 'activity.answered' })
}

function openQuestion({ slug, state, content }: Activity): Question {
  const question = questionOf(content)
  if (question?.answer) throw alreadyAnswered(slug, question.answer)
  if (question && state === 'ongoing') return question
  throw new Problem('notification_answer.not_found', `"${slug}" is not waiting for an answer.`)
}

const alreadyAnswered = (slug: string, answer: ApprovalChoice) =>
  new Problem('notification_answer.already_answered', `"${slug}" has been answered already.`, { answer })

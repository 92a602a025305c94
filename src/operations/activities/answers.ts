// Answers to approvals, and snoozes of countdowns, from a device.
import { Problem } from '../../contract/problems.ts'
import { type Activity, ended, isOfOrganization, touch } from '../../domain/activities/activity.ts'
import { type ApprovalChoice, answered, type Question, questionOf } from '../../domain/activities/templates/approval.ts'
import { snoozed } from '../../domain/activities/templates/countdown.ts'
import type { ApprovalTicket } from '../../domain/answers/answer-ticket.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import {
  mayAnswer,
  requireEditor,
  requireMayAnswer,
  type SeenActivity,
  type Standing,
} from '../../domain/shares/standing.ts'
import { findActivityById, findActivityByIdForUpdate } from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { findStanding } from '../../store/shares/shared-activities.ts'
import type { Context } from '../context.ts'
import { type SavedActivity, saveAlone, seenAfter } from './save.ts'
import { changeSeenActivity } from './seen.ts'

export async function answerApproval(
  ctx: Context,
  caller: Caller,
  name: string,
  option: string,
): Promise<SeenActivity> {
  requireUser(caller)
  const now = ctx.clock.now()
  return changeSeenActivity(ctx, caller, name, {}, async (tx, seen) => {
    requireMayAnswer(seen)
    return seenAfter(await recordChoice(tx, seen.activity, { option, by: caller.userId }, now), seen.standing)
  })
}

// A ticket is valid for one round: in the next question, an option with the same id may mean something else. The ticket of
// someone whom the activity of another reaches is valid while that person may answer.
export async function answerApprovalByTicket(
  ctx: Context,
  { activityId, round, recipientId }: ApprovalTicket,
  option: string,
): Promise<SeenActivity> {
  const now = ctx.clock.now()
  const known = await findActivityById(ctx.db.read, activityId)
  return ctx.db.transact(async (tx) => {
    const activity = known && (await findActivityByIdForUpdate(tx, known.userId, known.id))
    const seen = await seenByTicket(tx, activity, { activityId, round, recipientId })
    if (!seen) throw new Problem('notification_answer.not_found', 'This ticket is unknown or too old.')
    return seenAfter(await recordChoice(tx, seen.activity, { option, by: recipientId }, now), seen.standing)
  })
}

export async function findApprovalOfTicket(db: Reader, ticket: ApprovalTicket): Promise<SeenActivity | undefined> {
  return seenByTicket(db, await findActivityById(db, ticket.activityId), ticket)
}

const OWN: Standing = { kind: 'owned', shareCount: 0 }

// Undefined if the ticket is not valid for the activity as it is now.
async function seenByTicket(
  db: Reader,
  activity: Activity | undefined,
  { activityId, round, recipientId }: ApprovalTicket,
): Promise<SeenActivity | undefined> {
  const standing = recipientId ? await findStanding(db, recipientId, activityId) : OWN
  const seen = activity && standing && { activity, standing }
  return seen && mayAnswer(seen) && questionOf(activity.content)?.round === round ? seen : undefined
}

export async function snoozeActivity(ctx: Context, caller: Caller, name: string): Promise<SeenActivity> {
  requireUser(caller)
  const now = ctx.clock.now()
  return changeSeenActivity(ctx, caller, name, {}, async (tx, seen) => {
    requireEditor(seen)
    const { activity: current, standing } = seen
    if (current.state !== 'ongoing' || current.content.template !== 'countdown') {
      throw new Problem(
        'activity.state_invalid',
        `"${current.slug}" is not an ongoing countdown, so there is nothing to snooze.`,
      )
    }
    const after = { ...touch(current, now), content: snoozed(current.content) }
    return seenAfter(await saveAlone(tx, current, after, { now }), standing)
  })
}

// The row is locked, so the second of two concurrent answers sees the first.
async function recordChoice(
  tx: Writer,
  activity: Activity,
  { option, by }: { option: string; by: UserId | undefined },
  now: Instant,
): Promise<SavedActivity> {
  const question = openQuestion(activity)
  if (!question.options.some(({ id, url }) => id === option && url === undefined)) {
    throw new Problem('notification_answer.action_unknown', `"${option}" is not one of the options answered here.`)
  }
  const choice = { option, userId: isOfOrganization(activity) ? by : undefined }
  const after = ended({ ...touch(activity, now), content: answered(activity.content, choice, now) }, now)
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

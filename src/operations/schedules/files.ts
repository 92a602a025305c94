// Files of a schedule. They must last until it is sent; a series has links only, because a file belongs to one message.
import type { AttachmentInput } from '../../contract/files.ts'
import type { Attachment } from '../../domain/files.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import { fileIdsOf } from '../../domain/notifications/attachments.ts'
import { invalidSchedule, type Schedule, type SchedulePlan } from '../../domain/schedules/schedule.ts'
import type { Writer } from '../../store/engine/database.ts'
import { attachToSchedule } from '../../store/files/files.ts'
import { findAttachments } from '../files/attach.ts'

type Owner = Pick<Schedule, 'userId'> & { id?: Schedule['id'] }

// `given`: undefined if the files stay as they are.
export async function withFiles<Plan extends SchedulePlan>(
  tx: Writer,
  { userId, id }: Owner,
  plan: Plan,
  given: AttachmentInput[] | undefined,
  publicUrl: string,
): Promise<Plan> {
  const { attachments: _, ...input } = plan.input
  const to = { userId, publicUrl, until: plan.sendAt, schedule: id }
  const files = given === undefined ? input.files : await findAttachments(tx, given, to)
  requireToLast(plan, files)
  return { ...plan, input: { ...input, files: files?.length ? files : undefined } }
}

function requireToLast({ recurrence, sendAt }: SchedulePlan, files: Attachment[] = []): void {
  const location = 'body.attachments'
  const uploaded = files.filter(({ id }) => id !== undefined)
  if (recurrence && uploaded.length > 0) {
    throw invalidSchedule([{ location, message: 'of a series must be links: a file belongs to one message' }])
  }
  const short = uploaded.find(({ expiresAt = sendAt }) => expiresAt <= sendAt)
  if (!short?.expiresAt) return
  const message = `has a file that is deleted at ${toRfc3339(short.expiresAt)}, before the message is sent`
  throw invalidSchedule([{ location, message }])
}

export const attachFiles = (tx: Writer, { userId, id, input }: Schedule): Promise<void> =>
  attachToSchedule(tx, userId, fileIdsOf(input.files), id)

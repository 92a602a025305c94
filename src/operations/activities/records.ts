// The records of a timeline (its history) and of a log (its lines), which are stored beside the content. The content
// stays small: a change writes one point or a few lines.
import { Buffer } from 'node:buffer'
import { LIMITS } from '../../contract/limits.ts'
import type { Activity } from '../../domain/activities/activity.ts'
import { type ActivityContent, without } from '../../domain/activities/templates/content.ts'
import { type LogLine, newLines } from '../../domain/activities/templates/log.ts'
import { type Chunk, chunkOf, type History, historyOf, seedChunk } from '../../domain/activities/timeline-history.ts'
import { type Instant, toUnixSeconds } from '../../domain/instant.ts'
import {
  deleteRecords,
  deleteRecordsBegunBefore,
  deleteRecordsUpTo,
  findEndBytes,
  insertRecord,
  listRecords,
} from '../../store/activities/records.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'

export async function keepRecords(
  tx: Writer,
  before: Activity,
  after: Activity,
  sent: ActivityContent,
  now: Instant,
): Promise<Activity> {
  const { template } = after.content
  const isSwitch = template !== before.content.template
  if (isSwitch && before.recordCount > 0) await deleteRecords(tx, after.userId, after.id)
  // Annotated: without a type, the compiler accepts unknown members beside a spread.
  const activity: Activity = isSwitch ? { ...after, recordCount: 0 } : after
  if (template === 'timeline' && sent.value !== undefined) return keepPoints(tx, activity, now)
  if (template === 'log' && sent.lines !== undefined) {
    return keepLines(tx, activity, isSwitch ? [] : linesOf(before))
  }
  return { ...activity, content: withoutHistory(activity) }
}

// The history of a timeline, oldest point first.
export async function readHistory(db: Reader, activity: Activity): Promise<History> {
  const series = Object.keys((activity.content.value as object | undefined) ?? {})
  return historyOf(await listRecords<Chunk>(db, activity), series)
}

// Newest first, like the lines of a request.
export async function readBacklog(db: Reader, activity: Activity): Promise<LogLine[]> {
  return (await listRecords<LogLine>(db, activity)).reverse()
}

// A history from the client is taken only as the start of an empty one.
async function keepPoints(tx: Writer, activity: Activity, now: Instant): Promise<Activity> {
  const { history, value } = activity.content as { history?: History; value: Record<string, number> }
  const seed = history && activity.recordCount === 0 ? [seedChunk(history)] : []
  let { recordCount } = activity
  for (const body of [...seed, chunkOf(value, toUnixSeconds(now))]) {
    recordCount += 1
    await insertRecord(tx, activity, recordCount, { body: JSON.stringify(body), startBytes: 0, endBytes: 0 })
  }
  if (recordCount > LIMITS.activity.maxPoints)
    await deleteRecordsUpTo(tx, activity, recordCount - LIMITS.activity.maxPoints)
  return { ...activity, recordCount, content: withoutHistory(activity) }
}

async function keepLines(tx: Writer, activity: Activity, before: readonly LogLine[]): Promise<Activity> {
  const added = newLines(linesOf(activity), before)
  let { recordCount } = activity
  let endBytes = recordCount === 0 ? 0 : await findEndBytes(tx, activity)
  for (const line of added.toReversed()) {
    const body = JSON.stringify(line)
    const startBytes = endBytes
    recordCount += 1
    endBytes += Buffer.byteLength(body)
    await insertRecord(tx, activity, recordCount, { body, startBytes, endBytes })
  }
  await deleteRecordsUpTo(tx, activity, recordCount - LIMITS.activity.maxBacklogLines)
  await deleteRecordsBegunBefore(tx, activity, endBytes - LIMITS.activity.maxBacklogBytes)
  return { ...activity, recordCount }
}

const linesOf = ({ content }: Activity): readonly LogLine[] => (content.lines as LogLine[] | undefined) ?? []

const withoutHistory = ({ content }: Activity): ActivityContent => without(content, 'history')

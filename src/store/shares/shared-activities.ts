// Activities that others share with an account.
import type { Plan } from '../../contract/limits.ts'
import type { ShareRole } from '../../contract/share.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import { effectiveRole, highestRole } from '../../domain/shares/share.ts'
import type { SeenActivity, SharedWithCaller } from '../../domain/shares/standing.ts'
import { type ActivitySize, findActivityById } from '../activities/activities.ts'
import type { Reader } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

// A row for each share that reaches the activity. `r` is the recipient, `o` the owner.
const JOINED = fragment(`shares s join users r on r.id = s.recipient_id join users o on o.id = s.user_id
  join activities a on a.user_id = s.user_id
    and (a.id = s.activity_id or substr(a.slug, 1, length(s.slug_prefix)) = s.slug_prefix)`)
const STANDING = fragment('s.role, r.plan as recipient_plan, o.id as owner_id, o.nickname, o.plan as owner_plan')

// By slug: the one that the account received first; by id if there is none.
export async function findSharedActivity(
  db: Reader,
  recipientId: UserId,
  name: string,
): Promise<SeenActivity<SharedWithCaller> | undefined> {
  // Without the content, which would be read once for each share.
  const rows = await db.all<StandingRow & { id: ActivityId }>(sql`select a.id, ${STANDING} from ${JOINED}
    where s.recipient_id = ${recipientId} and (a.slug = ${name} or a.id = ${name})
    order by case when a.slug = ${name} then 0 else 1 end, s.created_at, s.id`)
  const [first] = rows
  if (!first) return undefined
  const activity = await findActivityById(db, first.id)
  const reaching = rows.filter(({ id }) => id === first.id)
  return activity && { activity, standing: toStanding(first, reaching) }
}

// Undefined if the activity is not shared with the account (any more).
export async function findStanding(
  db: Reader,
  recipientId: UserId,
  id: ActivityId,
): Promise<SharedWithCaller | undefined> {
  const rows = await db.all<StandingRow>(sql`select ${STANDING} from ${JOINED}
    where s.recipient_id = ${recipientId} and a.id = ${id}`)
  return rows[0] && toStanding(rows[0], rows)
}

export type SharedActivitySize = ActivitySize & { standing: SharedWithCaller }

export async function listSharedActivitySizes(db: Reader, recipientId: UserId): Promise<SharedActivitySize[]> {
  const rows = await db.all<ActivitySize & StandingRow>(sql`select a.id, a.slug, a.state,
      octet_length(a.content) as bytes, ${STANDING}
    from ${JOINED} where s.recipient_id = ${recipientId}`)
  const byActivity = [...Map.groupBy(rows, ({ id }) => id).values()]
  return byActivity.flatMap(([first, ...more]) =>
    first
      ? [
          {
            id: first.id,
            slug: first.slug,
            state: first.state,
            bytes: first.bytes,
            standing: toStanding(first, [first, ...more]),
          },
        ]
      : [],
  )
}

type StandingRow = {
  role: ShareRole
  recipient_plan: Plan
  owner_id: UserId
  nickname: string | null
  owner_plan: Plan
}

// `reaching`: all shares that reach the activity; the highest role counts.
function toStanding(row: StandingRow, reaching: readonly StandingRow[]): SharedWithCaller {
  const roles = reaching.map(({ role, recipient_plan: plan }) => effectiveRole(role, plan))
  const owner = { userId: row.owner_id, nickname: row.nickname, plan: row.owner_plan }
  return { kind: 'shared', role: highestRole(roles) ?? 'viewer', owner }
}

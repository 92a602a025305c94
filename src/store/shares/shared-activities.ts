// Activities that reach an account from others: by shares, and by its memberships in organizations.

import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { ShareRole } from '../../contract/shares.ts'
import type { ActivityId } from '../../domain/activities/activity.ts'
import type { UserId } from '../../domain/caller.ts'
import type { ActivityTarget } from '../../domain/organizations/activity-target.ts'
import { hasRole } from '../../domain/organizations/roles.ts'
import { reachedDevices } from '../../domain/organizations/target.ts'
import { effectiveRole, highestRole } from '../../domain/shares/share.ts'
import type { SeenActivity, SharedWithCaller } from '../../domain/shares/standing.ts'
import { type ActivitySize, findActivityById } from '../activities/activities.ts'
import type { Reader } from '../engine/database.ts'
import { type Fragment, fragment, type Sql, sql } from '../engine/sql.ts'
import { listProfilesOf } from '../organizations/profiles.ts'

// By slug: the one that the account received first; by id if there is none.
export async function findSharedActivity(
  db: Reader,
  recipientId: UserId,
  name: string,
): Promise<SeenActivity<SharedWithCaller> | undefined> {
  const isNamed = sql`(a.slug = ${name} or a.id = ${name})`
  // Without the content, which would be read once for each way.
  const ways = await listWays<WayTo & { slug: string }>(db, recipientId, fragment('a.id, a.slug, a.target'), isNamed)
  const isById = ({ slug }: { slug: string }) => Number(slug !== name)
  const [first] = ways.sort((a, b) => isById(a) - isById(b) || a.received_at - b.received_at || (a.id < b.id ? -1 : 1))
  const activity = first && (await findActivityById(db, first.id))
  return activity && { activity, standing: toStanding(ways.filter(({ id }) => id === activity.id)) }
}

// Undefined if the activity does not reach the account (any more).
export async function findStanding(
  db: Reader,
  recipientId: UserId,
  id: ActivityId,
): Promise<SharedWithCaller | undefined> {
  const ways = await listWays<WayTo>(db, recipientId, fragment('a.id, a.target'), sql`a.id = ${id}`)
  return ways.length > 0 ? toStanding(ways) : undefined
}

export type SharedActivitySize = ActivitySize & { standing: SharedWithCaller }

export async function listSharedActivitySizes(db: Reader, recipientId: UserId): Promise<SharedActivitySize[]> {
  const ways = await listWays<SizeRow>(db, recipientId, SIZE, sql`a.id is not null`)
  return [...Map.groupBy(ways, ({ id }) => id).values()].flatMap((some) =>
    some.slice(0, 1).map(({ id, slug, state, bytes, ...row }) => {
      return { id, slug, state, bytes, target: toTarget(row), standing: toStanding(some) }
    }),
  )
}

const SIZE = fragment('a.id, a.slug, a.state, a.target, octet_length(a.content) as bytes')
type SizeRow = WayTo & Omit<ActivitySize, 'target'>

// A way by which an activity reaches the account: a share, or a membership. `o` is the owner.
type WayTo = { id: ActivityId; target: string | null }
type Way = { role: ShareRole; received_at: number; owner_id: UserId; nickname: string | null; owner_plan: PlanName }

const toTarget = ({ target }: Pick<WayTo, 'target'>): ActivityTarget | null => JSON.parse(target ?? 'null')

const OWNER = fragment('o.id as owner_id, o.nickname, o.plan as owner_plan')

async function listWays<Row extends WayTo>(
  db: Reader,
  userId: UserId,
  columns: Fragment,
  condition: Sql,
): Promise<(Row & Way)[]> {
  const shared = await db.all<Row & Way & { recipient_plan: PlanName }>(sql`select ${columns}, ${OWNER}, s.role,
      s.created_at as received_at, r.plan as recipient_plan
    from shares s join users r on r.id = s.recipient_id join users o on o.id = s.user_id
      join activities a on a.user_id = s.user_id
        and (a.id = s.activity_id or substr(a.slug, 1, length(s.slug_prefix)) = s.slug_prefix)
    where s.recipient_id = ${userId} and ${condition}`)
  const byShares = shared.map((row) => ({ ...row, role: effectiveRole(row.role, row.recipient_plan) }))
  return [...byShares, ...(await listMemberWays<Row>(db, userId, columns, condition))]
}

// Activities of the person's organizations whose target reaches the person.
async function listMemberWays<Row extends WayTo>(
  db: Reader,
  userId: UserId,
  columns: Fragment,
  condition: Sql,
): Promise<(Row & Way)[]> {
  const rows = await db.all<Row & Omit<Way, 'role'> & { role: OrgRole }>(sql`select ${columns}, ${OWNER}, m.role,
      case when m.joined_at > a.created_at then m.joined_at else a.created_at end as received_at
    from memberships m join users o on o.id = m.org_id and o.kind = 'organization'
      join activities a on a.user_id = m.org_id
    where m.user_id = ${userId} and ${condition}`)
  if (rows.length === 0) return []
  const profiles = new Map((await listProfilesOf(db, userId)).map((profile) => [profile.orgId as UserId, profile]))
  const isReached = (row: (typeof rows)[number]) => {
    const [target, profile] = [toTarget(row), profiles.get(row.owner_id)]
    return target !== null && profile !== undefined && reachedDevices(target.ids, profile) !== undefined
  }
  return rows.filter(isReached).map((row) => ({ ...row, role: hasRole(row.role, 'admin') ? 'editor' : 'viewer' }))
}

// `ways`: all by which one activity reaches the account; the highest role counts.
function toStanding(ways: readonly Way[]): SharedWithCaller {
  const [{ owner_id, nickname, owner_plan }] = ways as [Way]
  const role = highestRole(ways.map((way) => way.role)) ?? 'viewer'
  return { kind: 'shared', role, owner: { userId: owner_id, nickname, plan: owner_plan } }
}

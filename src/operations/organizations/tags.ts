// Tags: the words on devices that an organization uses as targets. A tag cannot be renamed.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { OrgId, TagId } from '../../domain/ids.ts'
import type { Tag } from '../../domain/organizations/organization.ts'
import { requireRoomForTag } from '../../domain/organizations/roles.ts'
import { newUuid } from '../../runtime/ids.ts'
import type { Reader } from '../../store/engine/database.ts'
import { appendEvent, appendToFeeds } from '../../store/events/feeds.ts'
import { listTaggedMemberIds } from '../../store/organizations/profiles.ts'
import { countTaggedDevices, countTags, deleteTag, insertTag, listTags } from '../../store/organizations/tags.ts'
import { readReach, settleReach } from '../activities/reach-change.ts'
import type { Context } from '../context.ts'
import { lockMembership, requireMembership } from '../membership.ts'
import { countInSlices } from './count-in-slices.ts'
import { requireTag } from './find.ts'
import { requireUnused } from './uses.ts'

// Fewer than groups: each device is looked up among the members.
const TAGS_PER_SLICE = 3

export type CountedTag = { tag: Tag; deviceCount: number }

export async function allTags(ctx: Context, caller: Caller, orgId: string): Promise<CountedTag[]> {
  const { org } = await requireMembership(ctx.db.read, caller, orgId, 'member')
  const items = await listTags(ctx.db.read, org.id)
  return countInSlices(ctx, caller.userId, { items, perSlice: TAGS_PER_SLICE }, (some) =>
    withCounts(ctx.db.read, org.id, some),
  )
}

export async function createTag(ctx: Context, caller: Caller, orgId: string, name: string): Promise<CountedTag> {
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    requireRoomForTag(await countTags(tx, org.id))
    const tag: Tag = { id: newUuid() as TagId, orgId: org.id, name, createdAt: now }
    if (!(await insertTag(tx, tag))) throw new Problem('org.name_taken', `There is a tag "${name}" already.`)
    await appendEvent(tx, org.id, { type: 'org.tag_updated', at: now, data: { id: tag.id } })
    return withCount(tx, tag)
  })
}

export async function removeTag(
  ctx: Context,
  caller: Caller,
  { orgId, tagId }: { orgId: string; tagId: string },
  { force }: { force: boolean },
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const { org } = await lockMembership(tx, caller, orgId, 'admin')
    const tag = await requireTag(tx, org.id, tagId)
    if (!force) await requireUnused(tx, org.id, { tagId: tag.id })
    const reach = await readReach(tx, org.id, await listTaggedMemberIds(tx, org.id, tag.name))
    await deleteTag(tx, org.id, tag.id)
    const news = await settleReach(tx, reach, now)
    await appendToFeeds(tx, [
      { userId: org.id, event: { type: 'org.tag_deleted', at: now, data: { id: tag.id } } },
      ...news,
    ])
  })
}

async function withCounts(db: Reader, orgId: OrgId, tags: Tag[]): Promise<CountedTag[]> {
  const names = tags.map(({ name }) => name)
  const counts = await countTaggedDevices(db, orgId, names)
  return tags.map((tag) => ({ tag, deviceCount: counts.get(tag.name) ?? 0 }))
}

const withCount = async (db: Reader, tag: Tag): Promise<CountedTag> =>
  (await withCounts(db, tag.orgId, [tag]))[0] as CountedTag

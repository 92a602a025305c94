// What an operator does with organizations from the command line, without being a member.
import type { KeyInput } from '../../contract/keys/keys.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { OrgRole } from '../../contract/organizations/organization.ts'
import type { PlanName } from '../../contract/plans.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { User } from '../../domain/accounts/account.ts'
import type { UserCaller } from '../../domain/caller.ts'
import { isOrgId, isUserId, type OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Group, Organization } from '../../domain/organizations/organization.ts'
import { requireRoomForMember, requireRoomForOrganization } from '../../domain/organizations/roles.ts'
import { newUuid } from '../../runtime/ids.ts'
import { findUser, findUserByName, lockUser, updatePlan } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { findGroupByName, listGroups } from '../../store/organizations/groups.ts'
import { type AccountMember, listAccountMembers } from '../../store/organizations/members.ts'
import { countMembers, countMemberships, findMembership } from '../../store/organizations/memberships.ts'
import { findOrganization, listOrganizations } from '../../store/organizations/organizations.ts'
import { listTags } from '../../store/organizations/tags.ts'
import type { Context } from '../context.ts'
import { createKey, type KeyAndSecret } from '../keys/keys.ts'
import { requirePlan } from '../plans.ts'
import { enterGroups } from './group-members.ts'
import { changeRole } from './members.ts'
import { addMember, removeFrom } from './memberships.ts'
import { foundOrganization } from './organizations.ts'

// By id, or by name if only one has it.
export async function requireOrganization(ctx: Context, text: string): Promise<Organization> {
  const byId = isOrgId(text) ? await findOrganization(ctx.db.read, text) : undefined
  if (byId) return byId
  const [named, another] = (await listOrganizations(ctx.db.read)).filter(({ name }) => name === text)
  if (!named) throw new Problem('org.not_found', `There is no organization "${text}".`)
  if (another) throw new Problem('org.not_found', `Several organizations are named "${text}"; name one by its id.`)
  return named
}

// By name or id.
export async function requirePerson(ctx: Context, text: string): Promise<User> {
  const byName = await findUserByName(ctx.db.read, text)
  const user = byName ?? (isUserId(text) ? await findUser(ctx.db.read, text) : undefined)
  if (user?.kind === 'person') return user
  throw new Problem('user.not_found', `There is no user "${text}".`)
}

export const allOrganizationsOfServer = (ctx: Context): Promise<Organization[]> => listOrganizations(ctx.db.read)

export const membersOf = (ctx: Context, org: Organization): Promise<AccountMember[]> =>
  listAccountMembers(ctx.db.read, org.id)

export async function createOrganizationOf(
  ctx: Context,
  owner: User,
  { name, plan }: { name: string; plan: PlanName },
): Promise<Organization> {
  requirePlan(ctx, plan)
  const { maxNameChars } = LIMITS.organization
  if (name.trim() === '' || [...name].length > maxNameChars) {
    throw validationProblem([{ location: 'name', message: `must have 1 to ${maxNameChars} characters` }])
  }
  const org: Organization = { id: newUuid() as OrgId, name, plan, createdAt: ctx.clock.now() }
  await ctx.db.transact((tx) => foundOrganization(tx, org, owner.id))
  return org
}

export type MemberTerms = { role: OrgRole; groups: string[] }

// Adds the person, or sets the role of a member; in both cases also adds them to the groups.
export async function putMember(ctx: Context, org: Organization, user: User, terms: MemberTerms): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, org.id)
    const groups: Group[] = []
    for (const name of terms.groups) groups.push(await requireGroupByName(tx, org, name))
    const member = await findMembership(tx, org.id, user.id)
    if (!member) return addPerson(ctx, tx, org, user, { role: terms.role, groups, now })
    const news = await enterGroups(tx, org.id, user.id, { groups, now })
    await changeRole(tx, org.id, member, { role: terms.role, now })
    await appendToFeeds(tx, news)
  })
}

async function addPerson(
  { config }: Context,
  tx: Writer,
  org: Organization,
  user: User,
  { role, groups, now }: { role: OrgRole; groups: Group[]; now: Instant },
): Promise<void> {
  requireRoomForMember(config.plans.named(org.plan), await countMembers(tx, org.id))
  await lockUser(tx, user.id)
  requireRoomForOrganization(await countMemberships(tx, user.id))
  await addMember(tx, org.id, { userId: user.id, role, groupIds: groups.map(({ id }) => id) }, now)
}

async function requireGroupByName(tx: Writer, org: Organization, name: string): Promise<Group> {
  const group = await findGroupByName(tx, org.id, name)
  if (!group) throw new Problem('org_group.not_found', `"${org.name}" has no group "${name}".`)
  return group
}

export async function dropMember(ctx: Context, org: Organization, user: User): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, org.id)
    const member = await findMembership(tx, org.id, user.id)
    if (!member) throw new Problem('org_member.not_found', `${user.name} is not a member of "${org.name}".`)
    await removeFrom(tx, org.id, member, now)
  })
}

export async function setOrganizationPlan(ctx: Context, org: Pick<Organization, 'id'>, plan: PlanName): Promise<void> {
  requirePlan(ctx, plan)
  await ctx.db.transact((tx) => updatePlan(tx, org.id, plan))
}

export type KeyTerms = { name: string; permissions: KeyInput['permissions'] } & TargetNames
export type TargetNames = { groups: string[]; tags: string[]; members: string[] }

export async function createOrganizationKey(
  ctx: Context,
  org: Organization,
  { name, permissions, ...names }: KeyTerms,
): Promise<KeyAndSecret> {
  // The operator has no token; creating a key asks for none.
  const caller: UserCaller = {
    kind: 'user',
    tokenHash: '' as UserCaller['tokenHash'],
    userId: org.id,
    accountKind: 'organization',
    plan: ctx.config.plans.named(org.plan),
    holdsPushes: false,
  }
  return createKey(ctx, caller, { name, permissions, ...(await targetOf(ctx, org, names)) })
}

// A name that does not exist is passed on, so that creating the key refuses it like an unknown id.
async function targetOf(ctx: Context, org: Organization, names: TargetNames): Promise<Pick<KeyInput, 'target'>> {
  if (names.groups.length + names.tags.length + names.members.length === 0) return {}
  const [groups, tags] = [await listGroups(ctx.db.read, org.id), await listTags(ctx.db.read, org.id)]
  const member_ids: string[] = []
  for (const name of names.members) member_ids.push((await requirePerson(ctx, name)).id)
  return {
    target: {
      group_ids: names.groups.map((name) => groups.find((group) => group.name === name)?.id ?? name),
      tag_ids: names.tags.map((name) => tags.find((tag) => tag.name === name)?.id ?? name),
      member_ids,
    },
  }
}

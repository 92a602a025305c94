// The groups and the device tags of an organization over HTTP.
import { List } from '../../../contract/fields.ts'
import {
  ForceQuery,
  GroupInput,
  GroupMemberParams,
  GroupMembers,
  GroupParams,
  GroupPatch,
  GroupView,
  TagInput,
  TagParams,
  TagView,
} from '../../../contract/organizations/group.ts'
import { OrgParams } from '../../../contract/organizations/organization.ts'
import type { Context } from '../../../operations/context.ts'
import {
  addGroupMember,
  removeGroupMember,
  replaceGroupMembers,
} from '../../../operations/organizations/group-members.ts'
import {
  allGroups,
  createGroup,
  readGroup,
  removeGroup,
  renameGroup,
} from '../../../operations/organizations/groups.ts'
import { allTags, createTag, removeTag } from '../../../operations/organizations/tags.ts'
import { groupView, tagView } from '../../../views/organizations.ts'
import { route, table } from '../../route.ts'

const forAdmins = { orgRole: 'admin', audited: true } as const

export const groupRoutes = (ctx: Context) =>
  table({ tag: 'Organizations', access: 'user' }, [
    route('GET /orgs/:org_id/groups', {
      id: 'listGroups',
      summary: 'List the groups by name',
      orgRole: 'member',
      params: OrgParams,
      ok: List(GroupView),
      handle: async ({ caller, params }) => ({ items: (await allGroups(ctx, caller, params.org_id)).map(groupView) }),
    }),

    route('POST /orgs/:org_id/groups', {
      id: 'createGroup',
      summary: 'Create a group',
      ...forAdmins,
      params: OrgParams,
      body: GroupInput,
      created: GroupView,
      problems: ['org.name_taken', 'org.limit_exceeded', 'org.target_unknown'],
      handle: async ({ caller, params, body }) => groupView(await createGroup(ctx, caller, params.org_id, body)),
    }),

    route('GET /orgs/:org_id/groups/:group_id', {
      id: 'getGroup',
      summary: 'Read a group',
      orgRole: 'member',
      params: GroupParams,
      ok: GroupView,
      problems: ['org_group.not_found'],
      handle: async ({ caller, params }) => groupView(await readGroup(ctx, caller, params.org_id, params.group_id)),
    }),

    route('PATCH /orgs/:org_id/groups/:group_id', {
      id: 'renameGroup',
      summary: 'Rename a group',
      ...forAdmins,
      params: GroupParams,
      body: GroupPatch,
      ok: GroupView,
      problems: ['org_group.not_found', 'org.name_taken'],
      handle: async ({ caller, params, body }) => groupView(await renameGroup(ctx, caller, groupOf(params), body.name)),
    }),

    route('DELETE /orgs/:org_id/groups/:group_id', {
      id: 'deleteGroup',
      summary: 'Delete a group',
      ...forAdmins,
      params: GroupParams,
      query: ForceQuery,
      problems: ['org_group.not_found', 'org.in_use'],
      handle: ({ caller, params, query }) => removeGroup(ctx, caller, groupOf(params), { force: query.force ?? false }),
    }),

    route('PUT /orgs/:org_id/groups/:group_id/members', {
      id: 'replaceGroupMembers',
      summary: 'Replace the members of a group',
      ...forAdmins,
      params: GroupParams,
      body: GroupMembers,
      ok: GroupView,
      problems: ['org_group.not_found', 'org.target_unknown'],
      handle: async ({ caller, params, body }) =>
        groupView(await replaceGroupMembers(ctx, caller, groupOf(params), body.user_ids)),
    }),

    route('PUT /orgs/:org_id/groups/:group_id/members/:user_id', {
      id: 'addGroupMember',
      summary: 'Add a member to a group',
      ...forAdmins,
      params: GroupMemberParams,
      problems: ['org_group.not_found', 'org_member.not_found'],
      handle: ({ caller, params }) => addGroupMember(ctx, caller, groupOf(params), params.user_id),
    }),

    route('DELETE /orgs/:org_id/groups/:group_id/members/:user_id', {
      id: 'removeGroupMember',
      summary: 'Remove a member from a group',
      ...forAdmins,
      params: GroupMemberParams,
      problems: ['org_group.not_found', 'org_member.not_found'],
      handle: ({ caller, params }) => removeGroupMember(ctx, caller, groupOf(params), params.user_id),
    }),

    route('GET /orgs/:org_id/tags', {
      id: 'listTags',
      summary: 'List the device tags by name',
      orgRole: 'member',
      params: OrgParams,
      ok: List(TagView),
      handle: async ({ caller, params }) => ({ items: (await allTags(ctx, caller, params.org_id)).map(tagView) }),
    }),

    route('POST /orgs/:org_id/tags', {
      id: 'createTag',
      summary: 'Create a device tag',
      description: 'A device carries it when it belongs to a member and its own tags contain the name.',
      ...forAdmins,
      params: OrgParams,
      body: TagInput,
      created: TagView,
      problems: ['org.name_taken', 'org.limit_exceeded'],
      handle: async ({ caller, params, body }) => tagView(await createTag(ctx, caller, params.org_id, body.name)),
    }),

    route('DELETE /orgs/:org_id/tags/:tag_id', {
      id: 'deleteTag',
      summary: 'Delete a device tag',
      ...forAdmins,
      params: TagParams,
      query: ForceQuery,
      problems: ['org_tag.not_found', 'org.in_use'],
      handle: ({ caller, params: { org_id: orgId, tag_id: tagId }, query }) =>
        removeTag(ctx, caller, { orgId, tagId }, { force: query.force ?? false }),
    }),
  ])

const groupOf = ({ org_id: orgId, group_id: groupId }: { org_id: string; group_id: string }) => ({ orgId, groupId })

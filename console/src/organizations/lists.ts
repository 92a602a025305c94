// The members, groups and tags of an organization, kept current by events.
import type { GroupView, TagView } from '../../../src/contract/organizations/group.ts'
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { type Loaded, useLoaded } from '../state/use-loaded.ts'
import { usePages } from '../state/use-pages.ts'

export const useMembers = (orgId: string) => usePages<MemberView>(`/orgs/${orgId}/members?limit=100`, 'org.')

export const useGroups = (orgId: string) => useItems<GroupView>(`/orgs/${orgId}/groups`)

export const useTags = (orgId: string) => useItems<TagView>(`/orgs/${orgId}/tags`)

function useItems<Item>(path: string): Loaded<Item[]> {
  return useLoaded(async () => (await api.get<{ items: Item[] }>(path)).items, { on: 'org.', key: path })
}

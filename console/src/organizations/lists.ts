// The members, groups and tags of an organization, kept current by events.
import { useContext } from 'preact/hooks'
import type { GroupView, TagView } from '../../../src/contract/organizations/group.ts'
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { accountStream, FollowedStream } from '../state/events.ts'
import { type Loaded, useLoaded } from '../state/use-loaded.ts'
import { usePages } from '../state/use-pages.ts'

// How often the pages of a member are loaded again: the stream of an account tells a member only what concerns them, and
// not who else joins, leaves or changes groups.
export const MEMBER_REFRESH_MS = 20_000

export const useMembers = (orgId: string) =>
  usePages<MemberView>(`/orgs/${orgId}/members?limit=100`, { on: 'org.', everyMs: useRefresh() })

export const useGroups = (orgId: string) => useItems<GroupView>(`/orgs/${orgId}/groups`)

export const useTags = (orgId: string) => useItems<TagView>(`/orgs/${orgId}/tags`)

function useItems<Item>(path: string): Loaded<Item[]> {
  const load = async () => (await api.get<{ items: Item[] }>(path)).items
  return useLoaded(load, { on: 'org.', everyMs: useRefresh(), key: path })
}

const useRefresh = (): number | undefined =>
  useContext(FollowedStream) === accountStream ? MEMBER_REFRESH_MS : undefined

// What is muted: the list, kept current by events, and changes of it.
import type { MuteView } from '../../../src/contract/holds.ts'
import { api } from '../api/client.ts'
import { type Loaded, useLoaded } from '../state/use-loaded.ts'
import { now } from '../ui/time.tsx'

export type MuteTarget = Pick<MuteView, 'source' | 'thread_id' | 'key_id'>

export function useMutes(): Loaded<MuteView[]> {
  const loaded = useLoaded(async () => (await api.get<{ items: MuteView[] }>('/mutes')).items, { on: 'mute.' })
  // No event tells of the end of a mute.
  return { ...loaded, value: loaded.value?.filter(({ until }) => Date.parse(until) > now.value) }
}

export const mute = (target: MuteTarget, until: Date): Promise<MuteView> =>
  api.put<MuteView>('/mutes', { ...target, until: until.toISOString() })

export const endMute = (id: string): Promise<void> => api.delete(`/mutes/${id}`)

export const muteOfSource = (mutes: MuteView[] | undefined, source: string): MuteView | undefined =>
  mutes?.find((one) => one.source === source)

export type MuteKind = 'source' | 'thread' | 'key'

export function kindOf({ source, thread_id }: MuteTarget): MuteKind {
  if (source) return 'source'
  return thread_id ? 'thread' : 'key'
}

export const isSameTarget = (one: MuteTarget, other: MuteTarget): boolean =>
  one.source === other.source && one.thread_id === other.thread_id && one.key_id === other.key_id

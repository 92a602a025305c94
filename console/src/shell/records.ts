// The records that the command palette finds by their names: programs, devices, widgets, activities, schedules, organizations.
import { allPages, api } from '../api/client.ts'
import { loadPrograms } from '../connections/load.ts'
import { myOrganizations } from '../state/menu.ts'
import type { IconName } from '../ui/icon.tsx'

type Kind = 'key' | 'webhook' | 'heartbeat' | 'device' | 'widget' | 'activity' | 'schedule' | 'organization'

export type FoundRecord = { kind: Kind; name: string; page: string; icon: IconName }

type Named = { slug: string; name?: string }
type Titled = { id: string; title: string }

// A kind that cannot be loaded is left out.
export async function loadRecords(): Promise<FoundRecord[]> {
  const parts = await Promise.allSettled([
    loadPrograms().then((programs) =>
      programs.map(({ kind, name, page }) => ({ kind, name, page, icon: PROGRAM_ICONS[kind] })),
    ),
    allPages<Named>('/widgets?limit=100').then((items) => items.map((one) => cardOf('widget', one))),
    allPages<Named>('/activities?limit=100').then((items) => items.map((one) => cardOf('activity', one))),
    api
      .get<{ items: { name: string }[] }>('/devices')
      .then(({ items }) => items.map(({ name }) => record('device', name, '/app/devices', 'device'))),
    allPages<Titled>('/notifications/scheduled?limit=100').then((items) =>
      items.map(({ title }) => record('schedule', title, '/app/schedules', 'schedule')),
    ),
  ])
  const organizations = myOrganizations.value.map(({ id, name }) =>
    record('organization', name, `/app/organizations/${id}`, 'organization'),
  )
  return [...organizations, ...parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : []))]
}

const PROGRAM_ICONS = { key: 'key', webhook: 'hook', heartbeat: 'heartbeat' } as const

const record = (kind: Kind, name: string, page: string, icon: IconName): FoundRecord => ({ kind, name, page, icon })

const cardOf = (kind: 'widget' | 'activity', { slug, name = slug }: Named): FoundRecord =>
  record(kind, name, `/app/${kind === 'widget' ? 'widgets' : 'activities'}/${encodeURIComponent(slug)}`, kind)

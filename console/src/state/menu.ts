// What the menu shows: the organizations of the person, and the sections that appear with their first use.
import { computed, signal } from '@preact/signals'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { accountStream } from './events.ts'

// Sections that most accounts do not need.
export const OPTIONAL = ['on-call', 'people'] as const
export type OptionalSection = (typeof OPTIONAL)[number]

export const myOrganizations = signal<OrganizationView[]>([])

const CHOSEN = 'menu-sections'
// Chosen in the settings, or used before. Kept in this browser, so that the menu does not jump when the console starts.
const chosen = signal<OptionalSection[]>(JSON.parse(localStorage.getItem(CHOSEN) ?? '[]'))

export const shownSections = computed<ReadonlySet<string>>(() => new Set(chosen.value))

export function showSection(section: OptionalSection, isShown: boolean): void {
  const others = chosen.value.filter((one) => one !== section)
  chosen.value = isShown ? [...others, section] : others
  localStorage.setItem(CHOSEN, JSON.stringify(chosen.value))
}

// Returns a function that stops it.
export function followMenu(): () => void {
  const load = () => void loadMenu().catch(() => {})
  const stops = ['org.', 'share.created', 'escalation.'].map((type) => accountStream.onEvents(type, load))
  stops.push(accountStream.onReset(load))
  void accountStream.opened().then(load)
  return () => {
    for (const stop of stops) stop()
    myOrganizations.value = []
  }
}

async function loadMenu(): Promise<void> {
  const isUsed = async (path: string) => (await api.get<{ items: unknown[] }>(path)).items.length > 0
  myOrganizations.value = (await api.get<{ items: OrganizationView[] }>('/orgs')).items
  if (myOrganizations.value.length > 0) showSection('people', true)
  if (!shownSections.value.has('people') && (await isUsed('/shares'))) showSection('people', true)
  if (!shownSections.value.has('on-call') && (await isUsed('/escalations'))) showSection('on-call', true)
}

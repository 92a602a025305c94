// The pages of the console: the sections of the menu, each with the views that it unfolds to. An organization fills the same
// sections with its own views.
import type { ComponentType } from 'preact'
import type { OrganizationView } from '../../src/contract/organizations/organization.ts'
import type { Filter } from './inbox/filter.ts'
import { openList } from './inbox/inbox.ts'
import { InboxPage } from './pages/inbox.tsx'
import { TEXTS } from './texts/base.ts'
import type { IconName } from './ui/icon.tsx'
import { lazy } from './ui/lazy.tsx'

export type View = {
  path: string
  name: string
  component: ComponentType
  // For a filter of the list: what a click does besides.
  onOpen?: () => void
}

export type SectionId = 'inbox' | 'live' | 'planned' | 'connections' | 'devices' | 'on-call' | 'people' | 'settings'

export type Section = { id: SectionId; name: string; icon: IconName; views: View[] }

const { nav, inbox } = TEXTS

const ActivitiesPage = lazy(async () => (await import('./pages/activities.tsx')).ActivitiesPage)
const AlertsPage = lazy(async () => (await import('./pages/alerts.tsx')).AlertsPage)
const ConnectionsPage = lazy(async () => (await import('./pages/connections.tsx')).ConnectionsPage)
const DevicesPage = lazy(async () => (await import('./pages/devices.tsx')).DevicesPage)
const EmailsPage = lazy(async () => (await import('./pages/emails.tsx')).EmailsPage)
const EscalationsPage = lazy(async () => (await import('./on-call/escalations/escalations.tsx')).EscalationsPage)
const HeartbeatsPage = lazy(async () => (await import('./on-call/heartbeats/heartbeats.tsx')).HeartbeatsPage)
const KeysPage = lazy(async () => (await import('./pages/keys.tsx')).KeysPage)
const OrganizationsPage = lazy(async () => (await import('./pages/organizations.tsx')).OrganizationsPage)
const NewMessagePage = lazy(async () => (await import('./pages/new-message.tsx')).NewMessagePage)
const QuietHoursPage = lazy(async () => (await import('./pages/quiet-hours.tsx')).QuietHoursPage)
const SchedulesPage = lazy(async () => (await import('./pages/schedules.tsx')).SchedulesPage)
const ScreensPage = lazy(async () => (await import('./pages/screens.tsx')).ScreensPage)
const SettingsPage = lazy(async () => (await import('./pages/settings.tsx')).SettingsPage)
const SharesPage = lazy(async () => (await import('./pages/shares.tsx')).SharesPage)
const SoundPage = lazy(async () => (await import('./pages/sound.tsx')).SoundPage)
const UsagePage = lazy(async () => (await import('./pages/usage.tsx')).UsagePage)
const WebhooksPage = lazy(async () => (await import('./pages/webhooks.tsx')).WebhooksPage)
const WidgetsPage = lazy(async () => (await import('./pages/widgets.tsx')).WidgetsPage)

// The rest of the inbox: notifications, and the form for a new one.
export const NEW_MESSAGE: View = { path: '/app/new', name: nav.newMessage, component: NewMessagePage }

const ALL = { path: '/app/', component: InboxPage }

export const SECTIONS: Section[] = [
  {
    id: 'inbox',
    name: nav.inbox,
    icon: 'inbox',
    views: [
      { ...ALL, name: inbox.all, onOpen: () => openList({}) },
      { ...ALL, path: '/app/?waiting=true', name: inbox.waitingOnly, onOpen: () => openList({ waiting: true }) },
      { path: '/app/alerts', name: nav.alerts, component: AlertsPage },
      { ...ALL, path: '/app/?snoozed=true', name: inbox.snoozedOnly, onOpen: () => openList({ snoozed: true }) },
    ],
  },
  {
    id: 'live',
    name: nav.live,
    icon: 'activity',
    views: [
      { path: '/app/activities', name: nav.activities, component: ActivitiesPage },
      { path: '/app/widgets', name: nav.widgets, component: WidgetsPage },
      { path: '/app/widgets/_wall', name: nav.wall, component: WidgetsPage },
    ],
  },
  {
    id: 'planned',
    name: nav.planned,
    icon: 'schedule',
    views: [
      { path: '/app/schedules', name: nav.schedules, component: SchedulesPage },
      { path: '/app/heartbeats', name: nav.heartbeats, component: HeartbeatsPage },
    ],
  },
  {
    id: 'connections',
    name: nav.connections,
    icon: 'hook',
    views: [
      { path: '/app/connections', name: nav.programs, component: ConnectionsPage },
      { path: '/app/keys', name: nav.keys, component: KeysPage },
      { path: '/app/webhooks', name: nav.webhooks, component: WebhooksPage },
    ],
  },
  {
    id: 'devices',
    name: nav.devices,
    icon: 'device',
    views: [
      { path: '/app/devices', name: nav.phones, component: DevicesPage },
      { path: '/app/screens', name: nav.screens, component: ScreensPage },
      { path: '/app/quiet-hours', name: nav.quietHours, component: QuietHoursPage },
      { path: '/app/sound', name: nav.sound, component: SoundPage },
    ],
  },
  {
    id: 'on-call',
    name: nav.onCall,
    icon: 'escalation',
    views: [{ path: '/app/escalations', name: nav.escalations, component: EscalationsPage }],
  },
  {
    id: 'people',
    name: nav.people,
    icon: 'people',
    views: [
      { path: '/app/shares', name: nav.shares, component: SharesPage },
      { path: '/app/organizations', name: nav.organizations, component: OrganizationsPage },
    ],
  },
  {
    id: 'settings',
    name: nav.settings,
    icon: 'settings',
    views: [
      { path: '/app/settings', name: nav.account, component: SettingsPage },
      { path: '/app/settings/sessions', name: nav.sessions, component: SettingsPage },
      { path: '/app/emails', name: nav.emails, component: EmailsPage },
      { path: '/app/usage', name: nav.usage, component: UsagePage },
    ],
  },
]

// The sections that have a tab on a phone; the others are on the page "More".
export const tabsOf = (orgId: string | undefined): SectionId[] =>
  orgId ? ['inbox', 'live', 'connections', 'people'] : ['inbox', 'live', 'planned', 'devices']

// Addresses that people type or have kept.
const MOVED: Record<string, string> = {
  '/app/live': '/app/activities',
  '/app/planned': '/app/schedules',
  '/app/on-call': '/app/escalations',
  '/app/people': '/app/shares',
  '/app/activities/new': '/app/activities/_new',
  '/app/widgets/new': '/app/widgets/_new',
  '/app/keys/new': '/app/keys?new',
  '/app/connections/new': '/app/?first-run',
}

export const movedTo = (path: string): string | undefined => MOVED[path.replace(/\/$/, '')]

export type Place = { section: Section; view: View }

// Which list of the inbox is shown.
type List = Pick<Filter, 'waiting' | 'snoozed'>

// The view with the longest path that the address begins with.
export function placeAt(sections: Section[], path: string, list: List = {}): Place | undefined {
  const wanted = path.replace(/\/$/, '') || '/app'
  if (wanted === '/app' || wanted.startsWith('/app/n/')) return inboxPlace(sections, list)
  if (wanted === NEW_MESSAGE.path) return sections[0] && { section: sections[0], view: NEW_MESSAGE }
  const places = sections.flatMap((section) => section.views.map((view) => ({ section, view })))
  const found = places
    .filter(({ view }) => view.path !== ALL.path)
    .filter(({ view }) => wanted === view.path || wanted.startsWith(`${view.path}/`))
  const [best] = found.sort((a, b) => b.view.path.length - a.view.path.length)
  // An organization opens with its members.
  return best ?? (organizationIn(wanted) ? places.find(({ view }) => view.path.endsWith('/members')) : undefined)
}

function inboxPlace(sections: Section[], { waiting, snoozed }: List): Place | undefined {
  const path = waiting ? '/app/?waiting=true' : snoozed ? '/app/?snoozed=true' : ALL.path
  const [section] = sections
  const view = section?.views.find((one) => one.path === path)
  return section && view && { section, view }
}

const ORGANIZATION = /^\/app\/organizations\/(?!join$)([^/]+)/

// The organization whose pages are open.
export const organizationIn = (path: string): string | undefined => ORGANIZATION.exec(path)?.[1]

type OrgSection = [id: SectionId, name: string, views: [tab: string, name: string, isForManagers?: true][]]

const ORG_SECTIONS: OrgSection[] = [
  ['inbox', nav.sent, [['sent', nav.sent, true]]],
  ['live', nav.live, [['activities', nav.activities]]],
  ['planned', nav.planned, [['heartbeats', nav.heartbeats, true]]],
  [
    'connections',
    nav.connections,
    [
      ['keys', nav.keys, true],
      ['webhooks', nav.webhooks, true],
    ],
  ],
  ['on-call', nav.onCall, [['escalations', nav.escalations, true]]],
  [
    'people',
    nav.people,
    [
      ['members', nav.members],
      ['groups', nav.groups],
    ],
  ],
  [
    'settings',
    nav.settings,
    [
      ['settings', nav.settings],
      ['usage', nav.usage, true],
    ],
  ],
]

// `role` is unknown until the organizations are loaded.
export function sectionsOf(orgId: string, role: OrganizationView['role'] | undefined): Section[] {
  const isManager = role !== 'member'
  return ORG_SECTIONS.map(([id, name, tabs]) => ({
    id,
    name,
    icon: SECTIONS.find((section) => section.id === id)?.icon ?? 'organization',
    views: tabs
      .filter(([, , isForManagers]) => isManager || !isForManagers)
      .map(([tab, label]) => ({
        path: `/app/organizations/${orgId}/${tab}`,
        name: label,
        component: OrganizationsPage,
      })),
  })).filter(({ views }) => views.length > 0)
}

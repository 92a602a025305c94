// The pages of the console, in the order of the menu.
import type { ComponentType } from 'preact'
import { AlertsPage } from './pages/alerts.tsx'
import { InboxPage } from './pages/inbox.tsx'
import { TEXTS } from './texts/base.ts'
import type { IconName } from './ui/icon.tsx'
import { lazy } from './ui/lazy.tsx'

export type PageEntry = {
  path: string
  name: string
  icon: IconName
  component: ComponentType
  // Section of the menu.
  group: 'daily' | 'on-call' | 'setup'
  // Has a tab at the bottom on a phone.
  isTab?: true
}

const { nav } = TEXTS

const ActivitiesPage = lazy(async () => (await import('./pages/activities.tsx')).ActivitiesPage)
const DevicesPage = lazy(async () => (await import('./pages/devices.tsx')).DevicesPage)
const EmailsPage = lazy(async () => (await import('./pages/emails.tsx')).EmailsPage)
const EscalationsPage = lazy(async () => (await import('./on-call/escalations/escalations.tsx')).EscalationsPage)
const HeartbeatsPage = lazy(async () => (await import('./on-call/heartbeats/heartbeats.tsx')).HeartbeatsPage)
const KeysPage = lazy(async () => (await import('./pages/keys.tsx')).KeysPage)
const OrganizationsPage = lazy(async () => (await import('./pages/organizations.tsx')).OrganizationsPage)
const NewMessagePage = lazy(async () => (await import('./pages/new-message.tsx')).NewMessagePage)
const QuietHoursPage = lazy(async () => (await import('./pages/quiet-hours.tsx')).QuietHoursPage)
const SchedulesPage = lazy(async () => (await import('./pages/schedules.tsx')).SchedulesPage)
const SettingsPage = lazy(async () => (await import('./pages/settings.tsx')).SettingsPage)
const SharesPage = lazy(async () => (await import('./pages/shares.tsx')).SharesPage)
const UsagePage = lazy(async () => (await import('./pages/usage.tsx')).UsagePage)
const WebhooksPage = lazy(async () => (await import('./pages/webhooks.tsx')).WebhooksPage)
const WidgetsPage = lazy(async () => (await import('./pages/widgets.tsx')).WidgetsPage)

export const MENU: PageEntry[] = [
  { path: '/app/', name: nav.inbox, icon: 'inbox', component: InboxPage, group: 'daily', isTab: true },
  { path: '/app/alerts', name: nav.alerts, icon: 'receipt', component: AlertsPage, group: 'daily', isTab: true },
  {
    path: '/app/activities',
    name: nav.activities,
    icon: 'activity',
    component: ActivitiesPage,
    group: 'daily',
    isTab: true,
  },
  { path: '/app/widgets', name: nav.widgets, icon: 'widget', component: WidgetsPage, group: 'daily', isTab: true },
  {
    path: '/app/schedules',
    name: nav.schedules,
    icon: 'schedule',
    component: SchedulesPage,
    group: 'daily',
  },
  {
    path: '/app/heartbeats',
    name: nav.heartbeats,
    icon: 'heartbeat',
    component: HeartbeatsPage,
    group: 'on-call',
  },
  {
    path: '/app/escalations',
    name: nav.escalations,
    icon: 'escalation',
    component: EscalationsPage,
    group: 'on-call',
  },
  { path: '/app/quiet-hours', name: nav.quietHours, icon: 'quiet', component: QuietHoursPage, group: 'on-call' },
  { path: '/app/keys', name: nav.keys, icon: 'key', component: KeysPage, group: 'setup' },
  { path: '/app/webhooks', name: nav.webhooks, icon: 'hook', component: WebhooksPage, group: 'setup' },
  { path: '/app/devices', name: nav.devices, icon: 'device', component: DevicesPage, group: 'setup' },
  { path: '/app/shares', name: nav.shares, icon: 'people', component: SharesPage, group: 'setup' },
  {
    path: '/app/organizations',
    name: nav.organizations,
    icon: 'organization',
    component: OrganizationsPage,
    group: 'setup',
  },
  { path: '/app/emails', name: nav.emails, icon: 'mail', component: EmailsPage, group: 'setup' },
  { path: '/app/usage', name: nav.usage, icon: 'usage', component: UsagePage, group: 'setup' },
  { path: '/app/settings', name: nav.settings, icon: 'settings', component: SettingsPage, group: 'setup' },
]

// Not in the menu: the inbox has a button for it.
export const NEW_MESSAGE: PageEntry = {
  path: '/app/new',
  name: nav.newMessage,
  icon: 'edit',
  component: NewMessagePage,
  group: 'daily',
}

export function pageAt(path: string): PageEntry | undefined {
  const wanted = path.replace(/\/$/, '') || '/app'
  if (wanted === '/app' || wanted.startsWith('/app/n/')) return MENU[0]
  if (wanted === NEW_MESSAGE.path) return NEW_MESSAGE
  // Its name in earlier versions, which bookmarks may have.
  if (wanted === '/app/receipts') return MENU.find(({ path: other }) => other === '/app/alerts')
  return MENU.find((page) => wanted === page.path || wanted.startsWith(`${page.path}/`))
}

// The pages of one organization, which the menu leads to. Owners and admins follow the organization's own event stream; the stream of
// their account tells members what concerns them, and the rest is loaded again from time to time.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api, unlessMissing } from '../api/client.ts'
import { FollowedStream } from '../state/events.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Missing, Page, Waiting } from '../ui/page.tsx'
import { ActivitiesTab } from './activities.tsx'
import { GroupsTab } from './groups/groups.tsx'
import { KeysTab } from './keys.tsx'
import { MembersTab } from './members.tsx'
import { EscalationsTab, HeartbeatsTab } from './on-call.tsx'
import { mayManage } from './roles.ts'
import { SentTab } from './sent/sent.tsx'
import { SettingsTab } from './settings.tsx'
import { useOrganizationStream } from './stream.ts'
import type { TabProps } from './tab.ts'
import { UsageTab } from './usage.tsx'
import { WebhooksTab } from './webhooks/tab.tsx'

const TABS = {
  members: { component: MembersTab, isForManagers: false },
  groups: { component: GroupsTab, isForManagers: false },
  sent: { component: SentTab, isForManagers: true },
  activities: { component: ActivitiesTab, isForManagers: false },
  heartbeats: { component: HeartbeatsTab, isForManagers: true },
  escalations: { component: EscalationsTab, isForManagers: true },
  keys: { component: KeysTab, isForManagers: true },
  webhooks: { component: WebhooksTab, isForManagers: true },
  usage: { component: UsageTab, isForManagers: true },
  settings: { component: SettingsTab, isForManagers: false },
} as const

type TabName = keyof typeof TABS
const TAB_NAMES = Object.keys(TABS) as TabName[]

export function OneOrganization({ id, tab }: { id: string; tab?: string }) {
  const load = async () => (await unlessMissing(api.get<OrganizationView>(`/orgs/${id}`))) ?? 'missing'
  const { value, error, reload } = useLoaded(load, { on: 'org.', key: id })
  if (!value) return <Waiting error={error} retry={reload} />
  if (value === 'missing') return <Missing icon="organization" words={ORG_TEXTS} home="/app/organizations" />
  return <Tabs organization={value} wanted={tab} onChange={reload} />
}

function Tabs({ organization, wanted, onChange }: TabProps & { wanted: string | undefined }) {
  const { id, name, role, plan, member_count } = organization
  const isManager = mayManage(role)
  const stream = useOrganizationStream(id, isManager, onChange)
  const tabs = TAB_NAMES.filter((one) => isManager || !TABS[one].isForManagers)
  const current = tabs.find((one) => one === wanted) ?? 'members'
  const Content = TABS[current].component
  const intro = [ORG_TEXTS.roles[role], ORG_TEXTS.members(member_count), ORG_TEXTS.plan(plan)].join(' · ')
  return (
    <Page title={name} intro={intro}>
      <FollowedStream.Provider value={stream}>
        <Content organization={organization} onChange={onChange} />
      </FollowedStream.Provider>
    </Page>
  )
}

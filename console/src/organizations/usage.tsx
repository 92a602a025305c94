// Shows how much of its quotas the organization has used.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { Waiting } from '../ui/page.tsx'
import { Meters, type Usage } from '../usage/meters.tsx'
import type { TabProps } from './tab.ts'

export function UsageTab({ organization: { id } }: TabProps) {
  const load = () => api.get<OrganizationView>(`/orgs/${id}`)
  const { value, error, reload } = useLoaded(load, { on: ['notification.created', 'activity.'], key: id })
  if (!value) return <Waiting error={error} retry={reload} />
  // Organizations have no widgets and send no e-mail. Their owners and admins are shown the rest.
  const { widget_updates_used: _, emails_used: __, ...usage } = value
  return <Meters usage={usage as Usage} />
}

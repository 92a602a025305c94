// The builder for an activity of an organization, at a path of its own below the tab of its activities.
import '../styles/card-shapes.css'
import '../styles/activity.css'
import '../styles/activity-faces.css'
import '../styles/activity-chart.css'
import '../styles/card-pages.css'
import { CardsInConsole } from '../cards/in-console.tsx'
import { NewOrganizationActivity } from './activity-builder.tsx'

export function NewActivityPage({ orgId, template }: { orgId: string; template?: string }) {
  const path = `/app/organizations/${orgId}/activities/_new`
  return (
    <CardsInConsole>
      <NewOrganizationActivity orgId={orgId} template={template} path={path} />
    </CardsInConsole>
  )
}

// Live activities as a phone shows them: the list, one activity, and its builder.
import '../styles/card-shapes.css'
import '../styles/activity.css'
import '../styles/activity-faces.css'
import '../styles/activity-chart.css'
import '../styles/card-pages.css'
import '../styles/builder.css'
import '../styles/joining.css'
import { useLocation } from 'preact-iso'
import { OneActivity } from '../activities/detail.tsx'
import { SharingTag } from '../activities/sharing-tag.tsx'
import { allPages, api, unlessMissing } from '../api/client.ts'
import { NewActivity } from '../builder/activity-builder.tsx'
import { ActivityCard } from '../cards/activity/card.tsx'
import { pathName } from '../cards/activity/sharing.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const HOME = '/app/activities'
// Not a valid slug, so it cannot collide with one.
const NEW = '_new'
const ORDER = ['ongoing', 'preempted', 'ended']

export function ActivitiesPage() {
  const { path } = useLocation()
  const [name, mode] = path.slice(HOME.length + 1).split('/')
  if (!name) return <ActivityList />
  if (name === NEW) return <NewActivity />
  return <OneActivity key={path} name={name} isEdited={mode === 'edit'} />
}

function ActivityList() {
  const { value, error, reload } = useLoaded(loadAll, { on: ['activity.', 'share.'] })
  const create = (
    <a class="button button-primary" href={`${HOME}/${NEW}`}>
      <Icon name="plus" size={18} />
      {CARD_TEXTS.activities.create}
    </a>
  )
  return (
    <Page title={TEXTS.nav.activities} intro={CARD_TEXTS.activities.intro} actions={create} isWide>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty icon="activity" title={CARD_TEXTS.activities.none}>
          {CARD_TEXTS.activities.noneHint}
        </Empty>
      )}
      <ul class="card-grid">
        {value?.map((activity) => (
          <li key={activity.id} class="grid-item">
            <ActivityCard activity={activity} />
            <p class="grid-caption">
              <a href={`${HOME}/${pathName(activity)}`}>{activity.name}</a>
              <span class="muted">
                {CARD_TEXTS.activities.states[activity.state]} · {CARD_TEXTS.changed} <Ago at={activity.updated_at} />
              </span>
            </p>
            <SharingTag activity={activity} />
          </li>
        ))}
      </ul>
    </Page>
  )
}

async function loadAll(): Promise<ActivityView[]> {
  const items = await allPages<ActivityView>('/activities?limit=100', 'after')
  const activities = await Promise.all(items.map(withHistory))
  return activities.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
}

// The list endpoint leaves out the history of timelines, so those are loaded one by one.
async function withHistory(activity: ActivityView): Promise<ActivityView> {
  if (activity.content.template !== 'timeline') return activity
  const whole = await unlessMissing(api.get<ActivityView>(`/activities/${pathName(activity)}`))
  return whole ?? activity
}

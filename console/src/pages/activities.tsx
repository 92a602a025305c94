// Live activities as a phone shows them: the list, one activity, and its builder.
import '../styles/card-shapes.css'
import '../styles/activity.css'
import '../styles/activity-faces.css'
import '../styles/activity-chart.css'
import '../styles/card-pages.css'
import '../styles/builder.css'
import { useLocation } from 'preact-iso'
import { allPages, api } from '../api/client.ts'
import { EditActivity, NewActivity } from '../builder/activity-builder.tsx'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import type { ActivityView } from '../cards/activity/view.ts'
import { CardDetail } from '../cards/card-detail.tsx'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

const HOME = '/app/activities'
// Not a valid slug, so it cannot collide with one.
const NEW = '_new'
const ORDER = ['ongoing', 'preempted', 'ended']

export function ActivitiesPage() {
  const { path } = useLocation()
  const [slug, mode] = path.slice(HOME.length + 1).split('/')
  if (!slug) return <ActivityList />
  if (slug === NEW) return <NewActivity />
  return <OneActivity key={path} slug={slug} isEdited={mode === 'edit'} />
}

function ActivityList() {
  const { value, error, reload } = useLoaded(loadAll, { on: 'activity.' })
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
          <li key={activity.slug} class="grid-item">
            <ActivityCard activity={activity} />
            <p class="grid-caption">
              <a href={`${HOME}/${activity.slug}`}>{activity.name}</a>
              <span class="muted">
                {CARD_TEXTS.activities.states[activity.state]} · {CARD_TEXTS.changed} <Ago at={activity.updated_at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Page>
  )
}

// The list endpoint leaves out the history of timelines, so those are loaded one by one.
async function loadAll(): Promise<ActivityView[]> {
  const items = await allPages<ActivityView>('/activities?limit=100', 'after')
  const whole = items.map((activity) => (activity.content.template === 'timeline' ? loadOne(activity.slug) : activity))
  const activities = await Promise.all(whole)
  return activities.sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
}

const loadOne = (slug: string) => api.get<ActivityView>(`/activities/${slug}`)

function OneActivity({ slug, isEdited }: { slug: string; isEdited: boolean }) {
  const { value, error, reload } = useLoaded(() => loadOne(slug), { on: 'activity.', key: slug })
  if (!value) return <Waiting error={error} retry={reload} />
  if (isEdited) return <EditActivity activity={value} />
  const end = () => attempt(() => api.patch(`/activities/${slug}`, { state: 'ended' }), CARD_TEXTS.activities.ended)
  return (
    <CardDetail
      home={HOME}
      resource="/activities"
      item={value}
      words={CARD_TEXTS.activities}
      facts={<> · {CARD_TEXTS.activities.states[value.state]}</>}
      actions={value.state === 'ongoing' && <Button onClick={end}>{CARD_TEXTS.activities.end}</Button>}
    >
      <div class="families">
        <figure class="family">
          <ActivityCard activity={value} />
          <figcaption>{CARD_TEXTS.lockScreen}</figcaption>
        </figure>
        <figure class="family">
          <ActivityCompact activity={value} />
          <figcaption>{CARD_TEXTS.compact}</figcaption>
        </figure>
      </div>
    </CardDetail>
  )
}

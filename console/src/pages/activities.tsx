// Live activities as a phone shows them: the list, one activity, and its builder.
import '../styles/joining.css'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { ActivitySections } from '../activities/activity-sections.tsx'
import { OneActivity } from '../activities/detail.tsx'
import { loadActivities } from '../activities/load.ts'
import { SharingTag } from '../activities/sharing-tag.tsx'
import { StartAgain } from '../activities/start-again.tsx'
import { NewActivity } from '../builder/activity-builder.tsx'
import { forgetAnswered } from '../cards/activity/answered-here.ts'
import { mayChange, pathName } from '../cards/activity/sharing.ts'
import { CardsInConsole } from '../cards/in-console.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'

const HOME = '/app/activities'
// Not a valid slug, so it cannot collide with one.
const NEW = '_new'

export function ActivitiesPage() {
  return (
    <CardsInConsole>
      <OpenPage />
    </CardsInConsole>
  )
}

function OpenPage() {
  const { path } = useLocation()
  const [name, mode] = path.slice(HOME.length + 1).split('/')
  if (!name) return <ActivityList />
  if (name === NEW) return <NewActivity template={mode} />
  return <OneActivity key={path} name={name} isEdited={mode === 'edit'} />
}

function ActivityList() {
  const { value, error, reload } = useLoaded(() => loadActivities('/activities'), { on: ['activity.', 'share.'] })
  useEffect(() => forgetAnswered, [])
  const create = (
    <ButtonLink look="primary" icon="plus" href={`${HOME}/${NEW}`}>
      {CARD_TEXTS.activities.create}
    </ButtonLink>
  )
  return (
    <Page title={TEXTS.nav.activities} intro={CARD_TEXTS.activities.intro} actions={create} isWide>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty icon="activity" title={CARD_TEXTS.activities.none}>
          {CARD_TEXTS.activities.noneHint}
        </Empty>
      )}
      {value && (
        <ActivitySections activities={value} pageOf={(activity) => `${HOME}/${pathName(activity)}`}>
          {(activity) => (
            <>
              <SharingTag activity={activity} />
              {activity.state === 'preempted' && mayChange(activity) && (
                <StartAgain activity={activity} all={value} onDone={reload} />
              )}
            </>
          )}
        </ActivitySections>
      )}
    </Page>
  )
}

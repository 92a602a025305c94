// The activities of an organization. Owners and admins see all of them with their targets, and end and delete them;
// members see those that reach them.
import { useState } from 'preact/hooks'
import { ActivityGrid } from '../activities/activity-grid.tsx'
import { ActivitySections } from '../activities/activity-sections.tsx'
import { loadActivities } from '../activities/load.ts'
import { StartAgain } from '../activities/start-again.tsx'
import { api, unlessMissing } from '../api/client.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { CardsInConsole } from '../cards/in-console.tsx'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Empty, Waiting } from '../ui/page.tsx'
import { mayManage } from './roles.ts'
import type { TabProps } from './tab.ts'
import { targetInWords } from './target.ts'

const { activities: words } = ORG_TEXTS

export function ActivitiesTab({ organization: { id, role } }: TabProps) {
  return (
    <CardsInConsole>
      {mayManage(role) ? <AllActivities orgId={id} /> : <ReachingActivities orgId={id} />}
    </CardsInConsole>
  )
}

function AllActivities({ orgId }: { orgId: string }) {
  const path = `/orgs/${orgId}/activities`
  const { value, error, reload } = useLoaded(() => loadActivities(path), { on: 'activity.', key: path })
  const [deleting, setDeleting] = useState<ActivityView>()
  const end = ({ slug }: ActivityView) =>
    attempt(async () => {
      await api.patch(`${path}/${slug}`, { state: 'ended' })
      await reload()
    }, CARD_TEXTS.activities.ended)
  const remove = async ({ slug }: ActivityView) => {
    await unlessMissing(api.delete(`${path}/${slug}`))
    await reload()
  }
  if (!value) return <Waiting error={error} retry={reload} />
  return (
    <>
      <div class="card-actions">
        <ButtonLink look="primary" icon="plus" href={`/app/organizations/${orgId}/activities/_new`}>
          {CARD_TEXTS.activities.create}
        </ButtonLink>
      </div>
      {value.length === 0 && <None hint={words.noneHint} />}
      <ActivitySections activities={value.map(withoutOwnButtons)} pageOf={() => undefined}>
        {(activity) => (
          <>
            <p class="muted card-facts">{words.reaches(targetInWords(activity.target ?? undefined))}</p>
            <div class="card-actions">
              {activity.state === 'preempted' && (
                <StartAgain activity={activity} all={value} collection={path} onDone={reload} />
              )}
              <Actions activity={activity} onEnd={() => end(activity)} onDelete={() => setDeleting(activity)} />
            </div>
          </>
        )}
      </ActivitySections>
      {deleting && (
        <Confirm
          title={CARD_TEXTS.activities.deleteTitle(deleting.name)}
          confirm={CARD_TEXTS.delete}
          work={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          {words.deleteText}
        </Confirm>
      )}
    </>
  )
}

// Members answer and snooze an activity; the organization that owns it does not.
const withoutOwnButtons = (activity: ActivityView): ActivityView => ({ ...activity, share_role: 'viewer' })

type ActionsProps = { activity: ActivityView; onEnd: () => void; onDelete: () => void }

function Actions({ activity: { name, state }, onEnd, onDelete }: ActionsProps) {
  return (
    <>
      {state === 'ongoing' && (
        <Button size="small" label={words.endLabel(name)} onClick={onEnd}>
          {words.end}
        </Button>
      )}
      <Button size="small" look="danger" icon="trash" label={words.deleteLabel(name)} onClick={onDelete} />
    </>
  )
}

function ReachingActivities({ orgId }: { orgId: string }) {
  const load = async () => (await loadActivities('/activities')).filter(({ owner_id }) => owner_id === orgId)
  const { value, error, reload } = useLoaded(load, { on: 'activity.', key: orgId })
  if (!value) return <Waiting error={error} retry={reload} />
  if (value.length === 0) return <None />
  return (
    <ActivityGrid activities={value} pageOf={({ id }) => `/app/activities/${id}`}>
      {({ state }) => <p class="muted card-facts">{CARD_TEXTS.activities.states[state]}</p>}
    </ActivityGrid>
  )
}

function None({ hint }: { hint?: string }) {
  return (
    <Empty icon="activity" title={words.none}>
      {hint}
    </Empty>
  )
}

// The page of one activity: its card, and the actions that its owner, an editor or a viewer has.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { ShareView } from '../../../src/contract/shares.ts'
import { api, unlessMissing } from '../api/client.ts'
import { EditActivity } from '../builder/activity-builder.tsx'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import { mayChange, pathName } from '../cards/activity/sharing.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { CardDetail, DeleteButton, EditLink, MissingCard } from '../cards/card-detail.tsx'
import { ShowOnScreen } from '../screens/show-on-screen.tsx'
import { LeaveShares } from '../shares/leave-shares.tsx'
import { ShareDialog } from '../shares/share-dialog.tsx'
import { covers } from '../shares/shared-what.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Button } from '../ui/button.tsx'
import { Waiting } from '../ui/page.tsx'
import { markForMembers } from './load.ts'
import { SharingTag } from './sharing-tag.tsx'
import { StartAgain } from './start-again.tsx'

const HOME = '/app/activities'
const { activities: words } = CARD_TEXTS

// `received`: the shares by which the account gets an activity of another account. `shown`: the activity as cards draw it.
// `own`: the ongoing activities of the account, of which starting another one may set one aside.
type Loaded = { activity?: ActivityView; shown?: ActivityView; own: ActivityView[]; received: ShareView[] }

async function loadActivity(name: string): Promise<Loaded> {
  const activity = await unlessMissing(api.get<ActivityView>(`/activities/${name}`))
  if (activity?.kind !== 'shared')
    return { activity, shown: activity, own: await ongoingBeside(activity), received: [] }
  const [shown] = await markForMembers([activity])
  const { items } = await api.get<{ items: ShareView[] }>('/shares')
  return { activity, shown, own: [], received: items.filter((share) => isReachedBy(activity, share)) }
}

async function ongoingBeside(activity: ActivityView | undefined): Promise<ActivityView[]> {
  if (!activity || activity.state === 'ongoing') return []
  return (await api.get<{ items: ActivityView[] }>('/activities?state=ongoing&limit=100')).items
}

function isReachedBy({ id, slug, owner_id }: ActivityView, share: ShareView): boolean {
  if (share.direction !== 'received' || share.owner_id !== owner_id) return false
  return share.slug_pattern ? covers(share.slug_pattern, slug) : share.activity_id === id
}

// `name`: its slug or id, as in the path of the page.
export function OneActivity({ name, isEdited }: { name: string; isEdited: boolean }) {
  const { value, error, reload } = useLoaded(() => loadActivity(name), { on: ['activity.', 'share.'], key: name })
  if (!value) return <Waiting error={error} retry={reload} />
  const { activity, shown, own, received } = value
  if (!activity || !shown) return <MissingCard icon="activity" words={words} home={HOME} />
  if (isEdited && mayChange(activity)) return <EditActivity activity={activity} />
  const isShared = activity.kind === 'shared'
  return (
    <CardDetail
      home={HOME}
      back={words.back}
      item={activity}
      facts={
        <>
          {' '}
          · {words.states[activity.state]}
          {activity.share_role && ` · ${SHARE_TEXTS.roles[activity.share_role]}`} <SharingTag activity={activity} />
        </>
      }
      actions={
        <>
          {mayChange(activity) && <ChangeActions activity={activity} all={own} />}
          {isShared ? <Leave activity={activity} shares={received} /> : <OwnerActions activity={activity} />}
        </>
      }
    >
      <div class="families">
        <figure class="family">
          <ActivityCard activity={shown} />
          <figcaption>{CARD_TEXTS.lockScreen}</figcaption>
        </figure>
        <figure class="family">
          <ActivityCompact activity={activity} />
          <figcaption>{CARD_TEXTS.compact}</figcaption>
        </figure>
      </div>
    </CardDetail>
  )
}

function ChangeActions({ activity, all }: { activity: ActivityView; all: ActivityView[] }) {
  const name = pathName(activity)
  const end = () => attempt(() => api.patch(`/activities/${name}`, { state: 'ended' }), words.ended)
  return (
    <>
      {activity.state === 'ongoing' ? (
        <Button onClick={end}>{words.end}</Button>
      ) : (
        <StartAgain activity={activity} all={all} />
      )}
      <EditLink page={`${HOME}/${name}`} />
    </>
  )
}

function OwnerActions({ activity }: { activity: ActivityView }) {
  const [isSharing, setSharing] = useState(false)
  const { slug, name } = activity
  return (
    <>
      <ShowOnScreen name={name} shows={{ activities: [slug] }} />
      <Button icon="people" onClick={() => setSharing(true)}>
        {SHARE_TEXTS.share}
      </Button>
      <DeleteButton path={`/activities/${slug}`} name={name} words={words} home={HOME} />
      {isSharing && <ShareDialog activity={activity} onClose={() => setSharing(false)} />}
    </>
  )
}

function Leave({ activity, shares }: { activity: ActivityView; shares: ShareView[] }) {
  const { route } = useLocation()
  const [isLeaving, setLeaving] = useState(false)
  if (shares.length === 0) return null
  const left = () => {
    showToast(JOIN_TEXTS.left)
    route(HOME)
  }
  return (
    <>
      <Button look="danger" icon="out" onClick={() => setLeaving(true)}>
        {JOIN_TEXTS.leave}
      </Button>
      {isLeaving && (
        <LeaveShares what={activity.name} shares={shares} onClose={() => setLeaving(false)} onDone={left} />
      )}
    </>
  )
}

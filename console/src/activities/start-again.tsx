// Starts an activity again that was set aside or has ended. Says first what that sets aside.
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { pathName } from '../cards/activity/sharing.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { attempt } from '../state/toasts.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { MAX_ONGOING, setAsideBy } from './sections.ts'

const { activities: words } = CARD_TEXTS

type StartAgainProps = {
  activity: ActivityView
  // All activities of its owner, if they are known.
  all: ActivityView[]
  // Collection of the API that it is in.
  collection?: string
  onDone?: () => unknown
}

export function StartAgain({ activity, all, collection = '/activities', onDone }: StartAgainProps) {
  const [isAsking, setAsking] = useState(false)
  const loser = activity.kind === 'shared' ? undefined : setAsideBy(all)
  const start = async () => {
    await api.patch(`${collection}/${pathName(activity)}`, { state: 'ongoing' })
    await onDone?.()
  }
  const click = () => (loser ? setAsking(true) : attempt(start, words.startedAgain(activity.name)))
  return (
    <>
      <Button icon="play" label={words.startAgainLabel(activity.name)} onClick={click}>
        {words.startAgain}
      </Button>
      {isAsking && loser && (
        <Confirm
          title={words.startAgainTitle(activity.name)}
          confirm={words.startAgain}
          look="primary"
          work={start}
          onClose={() => setAsking(false)}
        >
          {words.setsAside(MAX_ONGOING, loser.name)}
        </Confirm>
      )}
    </>
  )
}

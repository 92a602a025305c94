// Creates an activity from an example, or edits an existing one.
import { useState } from 'preact/hooks'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import { ACTIVITY_TEMPLATES, type ActivityTemplate, type ShownActivity } from '../cards/activity/content.ts'
import type { ActivityView } from '../cards/activity/view.ts'
import { CARD_TEXTS } from '../texts-cards.ts'
import { ACTIVITY_EXAMPLES } from './activity-examples.ts'
import { Builder, type BuilderKind } from './builder.tsx'
import { activityRequests, type Content, type Draft } from './draft.ts'
import { activityFields } from './fields.ts'
import { Gallery } from './gallery.tsx'

const kindFor = (before: Content): BuilderKind => ({
  home: '/app/activities',
  collection: '/activities',
  settings: ['priority', 'ended_ttl', 'stale_ttl', 'dismissal_ttl'],
  fieldsOf: activityFields,
  requestsOf: (draft) => activityRequests(draft, before),
  Preview: Preview,
})

const NEW = kindFor({})

export function NewActivity() {
  const [initial, setInitial] = useState<Draft>()
  const title = CARD_TEXTS.activities.create
  if (initial) return <Builder kind={NEW} title={title} initial={initial} isNew extra={ongoingField} />
  return (
    <Gallery
      title={title}
      entries={ACTIVITY_TEMPLATES.map((template) => ({
        template,
        name: CARD_TEXTS.activityTemplates[template],
        picture: <ActivityCard activity={shown(exampleOf(template))} />,
      }))}
      onChoose={(template) => setInitial(exampleOf(template))}
    />
  )
}

export function EditActivity({ activity }: { activity: ActivityView }) {
  const { id, kind: ownership, slug, name, priority, ended_ttl, stale_ttl, dismissal_ttl } = activity
  // The content when editing began; the patch sets members that were removed since then to null.
  const [before] = useState<Content>(activity.content)
  const [kind] = useState(() => kindFor(before))
  const initial: Draft = {
    slug,
    name,
    content: before,
    settings: { priority, ended_ttl, stale_ttl, dismissal_ttl },
    isOngoing: activity.state === 'ongoing',
    ...(ownership === 'shared' && { sharedId: id }),
  }
  const title = CARD_TEXTS.builder.editTitle(name)
  return <Builder kind={kind} title={title} initial={initial} isNew={false} extra={ongoingField} />
}

function ongoingField({ isOngoing }: Draft, change: (part: Partial<Draft>) => void) {
  return (
    <label class="check-field">
      <input
        type="checkbox"
        checked={isOngoing}
        onChange={(event) => change({ isOngoing: event.currentTarget.checked })}
      />
      {CARD_TEXTS.builder.isOngoing}
    </label>
  )
}

function Preview({ draft }: { draft: Draft }) {
  return (
    <div class="families">
      <ActivityCard activity={shown(draft)} />
      <ActivityCompact activity={shown(draft)} />
    </div>
  )
}

function exampleOf(template: ActivityTemplate): Draft {
  return { ...ACTIVITY_EXAMPLES[template](Date.now()), settings: {}, isOngoing: true }
}

const shown = ({ slug, name, content }: Draft): ShownActivity => ({
  slug,
  name,
  content: content as ShownActivity['content'],
  state: 'ongoing',
})

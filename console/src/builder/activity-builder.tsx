// Creates an activity from an example, or edits an existing one.

import { useState } from 'preact/hooks'
import {
  ACTIVITY_TEMPLATES,
  type ActivityTemplate,
  type ShownActivity,
} from '../../../src/domain/screens/activity-content.ts'
import { ActivityCard, ActivityCompact } from '../cards/activity/card.tsx'
import type { ActivityView } from '../cards/activity/view.ts'
import { EVERYONE, toTarget } from '../organizations/target.ts'
import { TargetFields } from '../organizations/target-fields.tsx'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { ACTIVITY_EXAMPLES } from './activity-examples.ts'
import { Builder, type ExtraField } from './builder.tsx'
import { activityRequests, type Draft } from './draft.ts'
import { activityFields } from './fields/activity-fields.ts'
import type { Content } from './fields/document.ts'
import { Fold } from './fields/fold.tsx'
import { Gallery } from './gallery.tsx'
import type { BuilderKind } from './kind.ts'

const HOME = '/app/activities'
const SETTINGS = ['priority', 'ended_ttl', 'stale_ttl', 'dismissal_ttl']

const kindFor = (before: Content): BuilderKind => ({
  home: HOME,
  collection: '/activities',
  settings: SETTINGS,
  fieldsOf: activityFields,
  requestsOf: (draft) => activityRequests(draft, before),
  pageOf: ({ sharedId, slug }) => `${HOME}/${sharedId ?? slug}`,
  Preview,
})

const NEW = kindFor({})

// `template`: from the path; without one the examples are shown.
export function NewActivity({ template }: { template?: string }) {
  return <ChosenActivity kind={NEW} template={template} path={`${HOME}/_new`} extra={ongoingField} />
}

// `path`: of the page of a new activity.
type NewOrgActivityProps = { orgId: string; template: string | undefined; path: string }

export function NewOrganizationActivity({ orgId, template, path }: NewOrgActivityProps) {
  const collection = `/orgs/${orgId}/activities`
  const home = path.slice(0, path.lastIndexOf('/'))
  const kind: BuilderKind = {
    ...NEW,
    home,
    collection,
    requestsOf: (draft) => activityRequests(draft, {}, collection),
    pageOf: () => home,
  }
  const extra: ExtraField = (draft, change) => (
    <>
      {ongoingField(draft, change)}
      <TargetChoice orgId={orgId} onChange={(target) => change({ target })} />
    </>
  )
  return <ChosenActivity {...{ kind, template, path, extra }} />
}

type ChosenActivityProps = { kind: BuilderKind; template: string | undefined; path: string; extra: ExtraField }

function ChosenActivity({ kind, template, path, extra }: ChosenActivityProps) {
  const title = CARD_TEXTS.activities.create
  const chosen = ACTIVITY_TEMPLATES.find((name) => name === template)
  if (chosen) return <Builder key={chosen} {...{ kind, title, extra }} initial={exampleOf(chosen)} isNew />
  return (
    <Gallery
      title={title}
      path={path}
      entries={ACTIVITY_TEMPLATES.map((name) => ({
        template: name,
        name: CARD_TEXTS.activityTemplates[name],
        picture: <ActivityCard activity={shown(exampleOf(name))} />,
      }))}
    />
  )
}

function TargetChoice({ orgId, onChange }: { orgId: string; onChange: (target: Draft['target']) => void }) {
  const [chosen, setChosen] = useState(EVERYONE)
  return (
    <Fold title={ORG_TEXTS.activities.audience}>
      <TargetFields
        orgId={orgId}
        by="name"
        hint={ORG_TEXTS.activities.audienceHint}
        draft={chosen}
        onChange={(draft) => {
          setChosen(draft)
          onChange(toTarget(draft))
        }}
      />
    </Fold>
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

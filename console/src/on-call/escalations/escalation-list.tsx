// The escalation policies of the account or of an organization, each drawn as a timeline.
import { useState } from 'preact/hooks'
import type { EscalationView } from '../../../../src/contract/escalations.ts'
import { api } from '../../api/client.ts'
import { showToast } from '../../state/toasts.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDelete } from '../../ui/dialog.tsx'
import { CardList } from '../../ui/page.tsx'
import { Frame } from '../frame.tsx'
import { NEW, type Place, pageOf, pathOf } from '../place.ts'
import { StepList, TimelineChart } from './timeline-chart.tsx'

const words = ESCALATION_TEXTS

export function EscalationList({ place }: { place: Place }) {
  const load = () => api.get<{ items: EscalationView[] }>(place.collection)
  const list = useLoaded(load, { on: 'escalation.', key: place.collection })
  const create = (
    <ButtonLink look="primary" icon="plus" href={`${place.home}/${NEW}`}>
      {words.create}
    </ButtonLink>
  )
  return (
    <Frame place={place} title={TEXTS.nav.escalations} intro={words.intro} actions={create}>
      <CardList loaded={list} items={list.value?.items} icon="escalation" words={words}>
        {(escalation) => (
          <EscalationCard key={escalation.slug} escalation={escalation} place={place} onChange={list.reload} />
        )}
      </CardList>
    </Frame>
  )
}

type EscalationCardProps = { escalation: EscalationView; place: Place; onChange: () => Promise<void> }

function EscalationCard({ escalation, place, onChange }: EscalationCardProps) {
  const { slug, name, steps } = escalation
  const [isDeleting, setDeleting] = useState(false)
  const deleted = async () => {
    showToast(words.deleted)
    await onChange()
  }
  return (
    <li class="card section">
      <div class="card-head">
        <h2 dir="auto">
          <a href={pageOf(place, slug)}>{name}</a>
        </h2>
        <code class="muted">{slug}</code>
      </div>
      <TimelineChart steps={steps} isOrganization={place.organization !== undefined} />
      <StepList steps={steps} />
      <div class="card-actions">
        <ButtonLink size="small" icon="edit" href={pageOf(place, slug)} label={words.editLabel(name)}>
          {TEXTS.edit}
        </ButtonLink>
        <Button
          size="small"
          look="danger"
          icon="trash"
          label={words.deleteLabel(name)}
          onClick={() => setDeleting(true)}
        >
          {words.delete}
        </Button>
      </div>
      {isDeleting && (
        <ConfirmDelete
          title={words.deleteTitle(name)}
          text={words.deleteText}
          path={pathOf(place, slug)}
          words={words}
          onClose={() => setDeleting(false)}
          onDeleted={deleted}
        />
      )}
    </li>
  )
}

// The escalation policies of the account or of an organization, each drawn as a timeline.
import { useState } from 'preact/hooks'
import type { EscalationView } from '../../../../src/contract/escalations.ts'
import { api } from '../../api/client.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Waiting } from '../../ui/page.tsx'
import { Frame } from '../frame.tsx'
import { NEW, type Place, pageOf, pathOf } from '../place.ts'
import { DeleteEscalation } from './delete-escalation.tsx'
import { StepList, TimelineChart } from './timeline-chart.tsx'

const words = ESCALATION_TEXTS

export function EscalationList({ place }: { place: Place }) {
  const load = () => api.get<{ items: EscalationView[] }>(place.collection)
  const { value, error, reload } = useLoaded(load, { on: 'escalation.', key: place.collection })
  const create = (
    <a class="button button-primary" href={`${place.home}/${NEW}`}>
      <Icon name="plus" size={18} />
      {words.create}
    </a>
  )
  return (
    <Frame place={place} title={TEXTS.nav.escalations} intro={words.intro} actions={create}>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.items.length === 0 && (
        <Empty icon="escalation" title={words.none}>
          {words.noneHint}
        </Empty>
      )}
      <ul class="cards">
        {value?.items.map((escalation) => (
          <EscalationCard key={escalation.slug} escalation={escalation} place={place} onChange={reload} />
        ))}
      </ul>
    </Frame>
  )
}

type EscalationCardProps = { escalation: EscalationView; place: Place; onChange: () => Promise<void> }

function EscalationCard({ escalation, place, onChange }: EscalationCardProps) {
  const { slug, name, steps } = escalation
  const [isDeleting, setDeleting] = useState(false)
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
        <a class="button button-plain button-small" href={pageOf(place, slug)} aria-label={words.editLabel(name)}>
          <Icon name="edit" size={16} />
          {TEXTS.edit}
        </a>
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
        <DeleteEscalation
          name={name}
          path={pathOf(place, slug)}
          onClose={() => setDeleting(false)}
          onChange={onChange}
        />
      )}
    </li>
  )
}

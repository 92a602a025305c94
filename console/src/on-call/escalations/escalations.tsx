// The pages of escalation policies: the list, a new one, and changing one.
import '../../builder/fields/fields.css'
import './escalations.css'
import { useLocation } from 'preact-iso'
import type { EscalationView } from '../../../../src/contract/escalations.ts'
import { api, unlessMissing } from '../../api/client.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { Missing, Waiting } from '../../ui/page.tsx'
import { NEW, type Place, pathOf, personalPlace } from '../place.ts'
import { EscalationForm } from './escalation-form.tsx'
import { EscalationList } from './escalation-list.tsx'

const PERSONAL = personalPlace('escalations')

export const EscalationsPage = () => <Escalations place={PERSONAL} />

export function Escalations({ place }: { place: Place }) {
  const { path } = useLocation()
  const [slug] = path.slice(place.home.length + 1).split('/')
  if (!slug) return <EscalationList place={place} />
  if (slug === NEW) return <EscalationForm place={place} />
  return <EditEscalation key={path} place={place} slug={decodeURIComponent(slug)} />
}

function EditEscalation({ place, slug }: { place: Place; slug: string }) {
  const load = async () => (await unlessMissing(api.get<EscalationView>(pathOf(place, slug)))) ?? 'missing'
  const { value, error, reload } = useLoaded(load)
  if (!value) return <Waiting error={error} retry={reload} />
  if (value === 'missing') return <Missing icon="escalation" words={ESCALATION_TEXTS} home={place.home} />
  return <EscalationForm place={place} escalation={value} />
}

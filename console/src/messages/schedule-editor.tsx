// Changes a schedule, or makes a new one that begins as a copy of it.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import type { ScheduleView } from '../../../src/contract/schedules.ts'
import { api, unlessMissing } from '../api/client.ts'
import { LATER } from '../schedules/timing.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { Missing, Waiting } from '../ui/page.tsx'
import { draftOf, PERSONAL, placeOf } from './draft.ts'
import { MessageBuilder } from './message-builder.tsx'

type ScheduleEditorProps = {
  id: string
  isCopy: boolean
  organization?: Pick<OrganizationView, 'id' | 'name'>
  home: string
  onDone: () => void
}

export function ScheduleEditor({ id, isCopy, organization, home, onDone }: ScheduleEditorProps) {
  const { schedules } = organization ? placeOf(organization.id) : PERSONAL
  const load = async () =>
    (await unlessMissing(api.get<ScheduleView>(`${schedules}/${encodeURIComponent(id)}`))) ?? 'missing'
  const { value, error, reload } = useLoaded(load)
  if (!value) return <Waiting error={error} retry={reload} />
  if (value === 'missing') return <Missing icon="schedule" words={SCHEDULE_TEXTS} home={home} />
  const draft = draftOf(value)
  // The time of a copy is chosen anew: that of a single send may have passed.
  const initial = isCopy ? { ...draft, timing: { ...draft.timing, sendAt: '' } } : draft
  const schedule = isCopy ? undefined : value
  return <MessageBuilder choices={LATER} {...{ initial, organization, schedule, home, onDone }} />
}

// The pending schedules of an organization.
import type { ScheduleView } from '../../../../src/contract/schedules.ts'
import { ScheduleCard } from '../../schedules/schedule-card.tsx'
import type { Loaded } from '../../state/use-loaded.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { targetInWords } from '../target.ts'

type PendingSchedulesProps = { orgId: string; schedules: Loaded<ScheduleView[]> }

export function PendingSchedules({ orgId, schedules: { value = [], reload } }: PendingSchedulesProps) {
  if (value.length === 0) return null
  return (
    <section class="sections">
      <h2 class="section-title">{ORG_TEXTS.sent.scheduled}</h2>
      <ul class="cards">
        {value.map((schedule) => (
          <ScheduleCard
            key={schedule.id}
            schedule={schedule}
            path={`/orgs/${orgId}/notifications/scheduled`}
            home={`/app/organizations/${orgId}/sent`}
            facts={targetInWords(schedule.target ?? undefined)}
            onChange={reload}
          />
        ))}
      </ul>
    </section>
  )
}

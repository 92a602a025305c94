// The person's live activities.
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type ActivityView = { slug: string; name: string; state: 'ongoing' | 'ended' | 'preempted'; updated_at: string }

export function ActivitiesPage() {
  const { value, error, reload } = useLoaded(() => api.get<{ items: ActivityView[] }>('/activities'), 'activity.')
  return (
    <Page title={TEXTS.nav.activities} intro={TEXTS.activities.intro}>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.items.length === 0 && <Empty icon="activity" title={TEXTS.activities.none} />}
      <ul class="cards">
        {value?.items.map(({ slug, name, state, updated_at }) => (
          <li key={slug} class="card">
            <div class="card-head">
              <h2>{name}</h2>
              <span class="tag">{TEXTS.activities.states[state]}</span>
            </div>
            <p class="muted card-facts">
              <code>{slug}</code> · {TEXTS.widgets.changed} <Ago at={updated_at} />
            </p>
          </li>
        ))}
      </ul>
    </Page>
  )
}

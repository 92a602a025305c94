// The person's widgets.
import type { WidgetView } from '../../../src/contract/widget.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

export function WidgetsPage() {
  const { value, error, reload } = useLoaded(() => api.get<{ items: WidgetView[] }>('/widgets'), 'widget.')
  return (
    <Page title={TEXTS.nav.widgets} intro={TEXTS.widgets.intro}>
      {!value && <Waiting error={error} retry={reload} />}
      {value?.items.length === 0 && <Empty icon="widget" title={TEXTS.widgets.none} />}
      <ul class="cards">
        {value?.items.map(({ slug, name, content, updated_at }) => (
          <li key={slug} class="card">
            <div class="card-head">
              <h2>{name}</h2>
              <span class="tag tag-plain">{content.template}</span>
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

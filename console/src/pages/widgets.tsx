// Widgets as a phone shows them: the list, one widget, and its builder.
import '../styles/card-shapes.css'
import '../styles/widget/frame.css'
import '../styles/widget/faces.css'
import '../styles/widget/lists.css'
import '../styles/widget/flow.css'
import '../styles/widget/accessory.css'
import '../styles/card-pages.css'
import { useLocation } from 'preact-iso'
import type { WidgetView } from '../../../src/contract/widgets.ts'
import { api, unlessMissing } from '../api/client.ts'
import { EditWidget, NewWidget } from '../builder/widget-builder.tsx'
import { CardDetail, DeleteButton, EditLink, MissingCard } from '../cards/card-detail.tsx'
import { CardsInConsole } from '../cards/in-console.tsx'
import { WidgetCard } from '../cards/widget/card.tsx'
import { WidgetFamilies } from '../cards/widget/families.tsx'
import { ShowOnScreen } from '../screens/show-on-screen.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'
import { ArrangePage } from '../wall/arrange-page.tsx'
import { ACCOUNT_SOURCE, placed } from '../wall/source.ts'

const HOME = '/app/widgets'
// Not valid slugs, so they cannot collide with one.
const NEW = '_new'
const WALL = '_wall'

export function WidgetsPage() {
  return (
    <CardsInConsole>
      <OpenPage />
    </CardsInConsole>
  )
}

function OpenPage() {
  const { path } = useLocation()
  const [slug, mode] = path.slice(HOME.length + 1).split('/')
  if (!slug) return <WidgetList />
  if (slug === WALL) return <ArrangePage />
  if (slug === NEW) return <NewWidget template={mode} />
  return <OneWidget key={path} slug={slug} isEdited={mode === 'edit'} />
}

function WidgetList() {
  const { value, error, reload } = useLoaded(ACCOUNT_SOURCE.load, { on: ['widget.', 'wall.'] })
  const widgets = value && placed(value).map(({ widget }) => widget)
  const actions = (
    <ButtonLink look="primary" icon="plus" href={`${HOME}/${NEW}`}>
      {CARD_TEXTS.widgets.create}
    </ButtonLink>
  )
  return (
    <Page title={TEXTS.nav.widgets} intro={CARD_TEXTS.widgets.intro} actions={actions} isWide>
      {!value && <Waiting error={error} retry={reload} />}
      {widgets?.length === 0 && (
        <Empty icon="widget" title={CARD_TEXTS.widgets.none}>
          {CARD_TEXTS.widgets.noneHint}
        </Empty>
      )}
      <ul class="card-grid">
        {widgets?.map((widget) => (
          <li key={widget.slug} class="grid-item">
            <WidgetCard widget={widget} family="medium" />
            <p class="grid-caption">
              <a href={`${HOME}/${widget.slug}`} dir="auto">
                {widget.name}
              </a>
              <span class="muted">
                {CARD_TEXTS.changed} <Ago at={widget.updated_at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Page>
  )
}

function OneWidget({ slug, isEdited }: { slug: string; isEdited: boolean }) {
  const load = async () => ({ widget: await unlessMissing(api.get<WidgetView>(`/widgets/${slug}`)) })
  const { value, error, reload } = useLoaded(load, { on: 'widget.', key: slug })
  if (!value) return <Waiting error={error} retry={reload} />
  const { widget } = value
  if (!widget) return <MissingCard icon="widget" words={CARD_TEXTS.widgets} home={HOME} />
  if (isEdited) return <EditWidget widget={widget} />
  return (
    <CardDetail
      home={HOME}
      back={CARD_TEXTS.widgets.back}
      item={widget}
      actions={
        <>
          <ShowOnScreen name={widget.name} shows={{ widgets: [slug] }} />
          <EditLink page={`${HOME}/${slug}`} />
          <DeleteButton path={`/widgets/${slug}`} name={widget.name} words={CARD_TEXTS.widgets} home={HOME} />
        </>
      }
    >
      <WidgetFamilies widget={widget} />
    </CardDetail>
  )
}

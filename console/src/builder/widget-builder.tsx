// Creates a widget from an example, or edits an existing one.
import type { WidgetContent, WidgetTemplate, WidgetView } from '../../../src/contract/widgets.ts'
import { WidgetCard } from '../cards/widget/card.tsx'
import { WidgetFamilies } from '../cards/widget/families.tsx'
import { CARD_TEXTS } from '../texts/cards.ts'
import { Builder } from './builder.tsx'
import { type Draft, widgetRequests } from './draft.ts'
import { widgetFields } from './fields/widget-fields.ts'
import { Gallery } from './gallery.tsx'
import type { BuilderKind } from './kind.ts'
import { WIDGET_EXAMPLES } from './widget-examples.ts'

const TEMPLATES = Object.keys(WIDGET_EXAMPLES) as WidgetTemplate[]

const HOME = '/app/widgets'

const KIND: BuilderKind = {
  home: HOME,
  collection: '/widgets',
  settings: ['push_throttle', 'stale_after'],
  fieldsOf: widgetFields,
  requestsOf: widgetRequests,
  pageOf: ({ slug }) => `${HOME}/${slug}`,
  Preview: ({ draft }) => <WidgetFamilies widget={shown(draft)} />,
}

// `template`: from the path; without one the examples are shown.
export function NewWidget({ template }: { template?: string }) {
  const title = CARD_TEXTS.widgets.create
  const chosen = TEMPLATES.find((name) => name === template)
  if (chosen) return <Builder key={chosen} kind={KIND} title={title} initial={exampleOf(chosen)} isNew />
  return (
    <Gallery
      title={title}
      path={`${HOME}/_new`}
      entries={TEMPLATES.map((name) => ({
        template: name,
        name: CARD_TEXTS.widgetTemplates[name],
        picture: <WidgetCard widget={shown(exampleOf(name))} family="small" />,
      }))}
    />
  )
}

export function EditWidget({ widget }: { widget: WidgetView }) {
  const { slug, name, content, push_throttle, stale_after } = widget
  const initial = { slug, name, content, settings: { push_throttle, stale_after }, isOngoing: false }
  return <Builder kind={KIND} title={CARD_TEXTS.builder.editTitle(name)} initial={initial} isNew={false} />
}

function exampleOf(template: WidgetTemplate): Draft {
  return { ...WIDGET_EXAMPLES[template](Date.now()), settings: {}, isOngoing: false }
}

const shown = ({ name, content }: Draft) => ({
  name,
  content: content as WidgetContent,
  updated_at: new Date().toISOString(),
})

// Creates a widget from an example, or edits an existing one.
import { useState } from 'preact/hooks'
import type { WidgetContent, WidgetTemplate, WidgetView } from '../../../src/contract/widget.ts'
import { WidgetCard } from '../cards/widget/card.tsx'
import { WidgetFamilies } from '../cards/widget/families.tsx'
import { CARD_TEXTS } from '../texts-cards.ts'
import { Builder, type BuilderKind } from './builder.tsx'
import { type Draft, widgetRequests } from './draft.ts'
import { widgetFields } from './fields.ts'
import { Gallery } from './gallery.tsx'
import { WIDGET_EXAMPLES } from './widget-examples.ts'

const TEMPLATES = Object.keys(WIDGET_EXAMPLES) as WidgetTemplate[]

const KIND: BuilderKind = {
  home: '/app/widgets',
  collection: '/widgets',
  settings: ['push_throttle', 'stale_after'],
  fieldsOf: widgetFields,
  requestsOf: widgetRequests,
  Preview: ({ draft }) => <WidgetFamilies widget={shown(draft)} />,
}

export function NewWidget() {
  const [initial, setInitial] = useState<Draft>()
  const title = CARD_TEXTS.widgets.create
  if (initial) return <Builder kind={KIND} title={title} initial={initial} isNew />
  return (
    <Gallery
      title={title}
      entries={TEMPLATES.map((template) => ({
        template,
        name: CARD_TEXTS.widgetTemplates[template],
        picture: <WidgetCard widget={shown(exampleOf(template))} family="small" />,
      }))}
      onChoose={(template) => setInitial(exampleOf(template))}
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

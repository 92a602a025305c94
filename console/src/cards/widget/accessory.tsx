// A widget on the lock screen: one colour and one value. Staleness is not shown here (specification).
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { type Glance, WIDGET_GLANCES } from '../../../../src/domain/screens/widget-glance.ts'
import { Glyph } from '../glyph.tsx'
import { Bar, Ring } from '../shapes.tsx'
import { useViewer } from '../surroundings.ts'
import type { LockFamily, ShownWidget } from './face.ts'
import { WIDGET_FACES } from './faces.ts'

type FormProps = { content: WidgetContent; title: string; glance: Glance }

export function Accessory({ widget, family }: { widget: ShownWidget; family: LockFamily }) {
  const { content, name } = widget
  const Form = FORMS[family]
  const { showsLabel } = WIDGET_FACES[content.template]
  const glance = WIDGET_GLANCES[content.template](content, useViewer())
  return (
    <div class={`accessory accessory-${family}`} data-template={content.template}>
      <Form content={content} title={(!showsLabel && content.label) || name} glance={glance} />
    </div>
  )
}

function Circular({ content: { icon }, title, glance: { text, fraction, symbol } }: FormProps) {
  if (symbol) {
    return (
      <span class="accessory-disc accessory-symbol">
        <Glyph name={symbol} />
        <span class="hidden">
          {title} {text}
        </span>
      </span>
    )
  }
  const words = <span class={text.length > 5 ? 'glance glance-long' : 'glance'}>{text}</span>
  const inside = (
    <>
      {icon && <Glyph name={icon} />}
      {words}
      <span class="hidden">{title}</span>
    </>
  )
  return fraction === undefined ? (
    <span class="accessory-disc">{inside}</span>
  ) : (
    <Ring fraction={fraction}>{inside}</Ring>
  )
}

function Rectangular({ content: { icon, subtitle }, title, glance: { text, detail, fraction } }: FormProps) {
  const below = detail ?? subtitle
  return (
    <>
      <span class="accessory-title">
        {icon && <Glyph name={icon} />}
        <span>{title}</span>
      </span>
      <span class="accessory-text">{text}</span>
      {fraction === undefined ? below && <span class="accessory-below">{below}</span> : <Bar fraction={fraction} />}
    </>
  )
}

function Inline({ content: { icon }, title, glance: { text } }: FormProps) {
  return (
    <>
      {icon && <Glyph name={icon} />}
      <span>
        {title} {text}
      </span>
    </>
  )
}

const FORMS = { circular: Circular, rectangular: Rectangular, inline: Inline } as const

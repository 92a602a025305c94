// Gauge template: a number between two bounds.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { formatNumber, fractionOf, withUnit } from '../format.ts'
import { Figure, Gauge } from '../shapes.tsx'
import type { FaceProps, WidgetFace } from './face.ts'
import { textOf } from './value.tsx'

function Body({ content }: FaceProps) {
  const { unit, min_value = 0, max_value = 1 } = content
  return (
    <div class="face-dial">
      <Gauge fraction={fractionIn(content)}>
        <Figure text={textOf(content)} unit={unit} />
        <span class="dial-ends">
          <span>{formatNumber(min_value)}</span>
          <span>{formatNumber(max_value)}</span>
        </span>
      </Gauge>
    </div>
  )
}

const fractionIn = ({ value = 0, min_value = 0, max_value = 1 }: WidgetContent): number =>
  fractionOf(value, min_value, max_value)

export const gauge: WidgetFace = {
  color: 'green',
  Body,
  glance: (content) => ({ text: withUnit(textOf(content), content.unit), fraction: fractionIn(content) }),
}

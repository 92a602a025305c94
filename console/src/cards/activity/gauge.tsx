// Gauge template: a number between two bounds.
import { formatNumber, fractionOf, withUnit } from '../format.ts'
import { Bar, Figure } from '../shapes.tsx'
import type { ActivityContent, ShownActivity } from './content.ts'
import type { ActivityFace } from './face.ts'

function Body({ activity: { content } }: { activity: ShownActivity }) {
  const { unit, min_value = 0, max_value = 1 } = content
  return (
    <div class="activity-countdown">
      <Figure text={textOf(content)} unit={unit} />
      <div class="activity-progress">
        <Bar fraction={fractionIn(content)} />
        <div class="activity-ends">
          <span>{formatNumber(min_value)}</span>
          <span>{formatNumber(max_value)}</span>
        </div>
      </div>
    </div>
  )
}

const numberOf = ({ value }: ActivityContent): number => (typeof value === 'number' ? value : 0)
const textOf = (content: ActivityContent): string => formatNumber(numberOf(content), content.decimals)
const fractionIn = (content: ActivityContent): number =>
  fractionOf(numberOf(content), content.min_value ?? 0, content.max_value ?? 1)

export const gauge: ActivityFace = {
  color: 'green',
  icon: 'gauge',
  Body,
  compact: (content) => ({ text: withUnit(textOf(content), content.unit), fraction: fractionIn(content) }),
}

// Progress template: the given fraction, or the elapsed part between two dates.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { now } from '../../ui/time.tsx'
import { formatPercent, fractionOf } from '../format.ts'
import { Bar, Figure, Ring } from '../shapes.tsx'
import type { FaceProps, WidgetFace } from './face.ts'
import { Rows } from './rows.tsx'

function Body({ content, family }: FaceProps) {
  const fraction = fractionDone(content)
  if (family === 'medium') {
    return (
      <div class="face-progress">
        <Figure text={formatPercent(fraction)} />
        <Bar fraction={fraction} />
      </div>
    )
  }
  return (
    <div class="face-dial">
      <Ring fraction={fraction}>
        <Figure text={formatPercent(fraction)} />
      </Ring>
      {family === 'large' && <Rows rows={(content.stat_rows ?? []).slice(0, 3)} />}
    </div>
  )
}

function fractionDone({ value, start_date, end_date }: WidgetContent): number {
  if (value !== undefined) return fractionOf(value, 0, 1)
  if (!start_date || !end_date) return 0
  return fractionOf(now.value, Date.parse(start_date), Date.parse(end_date))
}

export const progress: WidgetFace = {
  color: 'blue',
  Body,
  glance: (content) => ({ text: formatPercent(fractionDone(content)), fraction: fractionDone(content) }),
}

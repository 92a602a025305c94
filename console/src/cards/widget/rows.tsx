// Rows of names and values; a value may be a timer.
import type { WidgetContent } from '../../../../src/contract/widgets.ts'
import { now } from '../../ui/time.tsx'
import { timerText } from '../format.ts'

export type StatRow = NonNullable<WidgetContent['stat_rows']>[number]

export function Rows({ rows }: { rows: StatRow[] }) {
  if (rows.length === 0) return null
  return (
    <dl class="stat-rows">
      {rows.map((row) => (
        <div key={row.label}>
          <dt>{row.label}</dt>
          <dd>
            {rowText(row)}
            {row.unit && !row.timer && <small>{row.unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

export const rowText = ({ value, timer }: StatRow): string => (timer ? timerText(timer, now.value) : value)

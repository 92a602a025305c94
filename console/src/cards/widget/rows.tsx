// Rows of names and values; a value may be a timer.
import { rowText, type StatRow } from '../../../../src/domain/screens/widget-glance.ts'
import { useViewer } from '../surroundings.ts'

export function Rows({ rows }: { rows: StatRow[] }) {
  const viewer = useViewer()
  if (rows.length === 0) return null
  return (
    <dl class="stat-rows">
      {rows.map((row) => (
        <div key={row.label}>
          <dt>{row.label}</dt>
          <dd>
            {rowText(row, viewer)}
            {row.unit && !row.timer && <small>{row.unit}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

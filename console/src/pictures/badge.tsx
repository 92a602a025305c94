// A badge: a label and a value in one line, as pages of projects show them.
import { schemeOn } from '../cards/color.ts'

export function Badge({ label, value, color }: { label: string; value: string; color: string }) {
  const ink = schemeOn(color) === 'light' ? '#000000' : '#ffffff'
  return (
    <div class="badge">
      <span class="badge-label">{label}</span>
      <span class="badge-value" style={{ background: color, color: ink }}>
        {value}
      </span>
    </div>
  )
}

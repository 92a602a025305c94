// Rules for all templates: a member that this template ignores may be shown by the next one.
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { ACTION_SLOTS, FLOW_NODES, type WidgetContent } from '../../../contract/widgets.ts'
import { actionViolations } from '../../action-rules.ts'
import { colorViolations } from '../../color.ts'
import { fromRfc3339 } from '../../instant.ts'

export function anyTemplateViolations(content: WidgetContent): Violation[] {
  return [
    ...orderViolations(content),
    ...pointsViolations(content.points ?? []),
    ...periodViolations(content.periods ?? []),
    ...deviceSortViolations(content.device_sort ?? []),
    ...contentColors(content).flatMap(([location, color]) => colorViolations(location, color)),
    ...slotViolations(content),
  ]
}

function orderViolations({ min_value, max_value, start_date, end_date }: WidgetContent): Violation[] {
  const violations: Violation[] = []
  if (min_value !== undefined && max_value !== undefined && min_value >= max_value) {
    violations.push({ location: 'body.content.min_value', message: 'must be less than max_value' })
  }
  if (start_date !== undefined && end_date !== undefined && fromRfc3339(start_date) >= fromRfc3339(end_date)) {
    violations.push({ location: 'body.content.start_date', message: 'must be before end_date' })
  }
  return violations
}

function pointsViolations(points: number[]): Violation[] {
  if (points.length === 0 || points.length >= LIMITS.widget.points.min) return []
  return [{ location: 'body.content.points', message: `must have at least ${LIMITS.widget.points.min} entries` }]
}

function periodViolations(periods: { start: string }[]): Violation[] {
  const starts = periods.map((period) => fromRfc3339(period.start))
  return starts.flatMap((start, index) => {
    const previous = starts[index - 1]
    if (previous === undefined || start > previous) return []
    return [
      { location: `body.content.periods[${index}].start`, message: 'must be after the start of the period before' },
    ]
  })
}

function deviceSortViolations(sorts: { field: string }[]): Violation[] {
  return sorts.flatMap(({ field }, index) => {
    if (sorts.findIndex((other) => other.field === field) === index) return []
    return [{ location: `body.content.device_sort[${index}].field`, message: 'must not be sorted by twice' }]
  })
}

function contentColors({ accent_color, background_color, text_color, devices = [], flow = {} }: WidgetContent) {
  const colors: [location: string, color: string | undefined][] = [
    ['body.content.accent_color', accent_color],
    ['body.content.background_color', background_color],
    ['body.content.text_color', text_color],
  ]
  for (const [index, device] of devices.entries()) colors.push([`body.content.devices[${index}].color`, device.color])
  for (const [index, node] of (flow.inputs ?? []).entries()) {
    colors.push([`body.content.flow.inputs[${index}].color`, node.color])
  }
  for (const name of FLOW_NODES) colors.push([`body.content.flow.${name}.color`, flow[name]?.color])
  return colors
}

function slotViolations(content: WidgetContent): Violation[] {
  return ACTION_SLOTS.flatMap((slot) => {
    const action = content[slot]
    return action ? actionViolations(`body.content.${slot}`, action) : []
  })
}

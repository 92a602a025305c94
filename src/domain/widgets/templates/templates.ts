// The rules of each template besides the common ones.
import type { Violation } from '../../../contract/problems.ts'
import { FLOW_NODES, type WidgetContent, type WidgetTemplate } from '../../../contract/widgets.ts'

type Rule = (content: WidgetContent) => Violation[]

const RULES: Record<WidgetTemplate, Rule> = {
  value: nothing,
  progress: progressRule,
  status: nothing,
  gauge: gaugeRule,
  stat_list: (content) => needs(content, 'stat_rows'),
  trend: (content) => needs(content, 'value', 'points'),
  countdown: (content) => needs(content, 'end_date'),
  battery: (content) => needs(content, 'devices'),
  schedule: (content) => needs(content, 'periods'),
  flow: flowRule,
}

export function templateViolations(content: WidgetContent): Violation[] {
  return RULES[content.template](content)
}

function nothing(): Violation[] {
  return []
}

function needs(content: WidgetContent, ...fields: (keyof WidgetContent)[]): Violation[] {
  return fields
    .filter((field) => isMissing(content[field]))
    .map((field) => ({
      location: `body.content.${field}`,
      message: `${content[field] ? 'must not be empty' : 'is required'} with the template ${content.template}`,
    }))
}

const isMissing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0)

function progressRule({ value, start_date, end_date }: WidgetContent): Violation[] {
  const location = 'body.content.value'
  if (value === undefined) {
    if (start_date !== undefined && end_date !== undefined) return []
    return [{ location, message: 'is required with the template progress unless start_date and end_date are both set' }]
  }
  if (value < 0 || value > 1) return [{ location, message: 'must be from 0 to 1 with the template progress' }]
  return []
}

function gaugeRule(content: WidgetContent): Violation[] {
  const { value, min_value, max_value } = content
  if (value === undefined || min_value === undefined || max_value === undefined) {
    return needs(content, 'value', 'min_value', 'max_value')
  }
  // Bounds in the wrong order have a violation of their own.
  if (min_value >= max_value || (value >= min_value && value <= max_value)) return []
  return [{ location: 'body.content.value', message: `must be from min_value ${min_value} to max_value ${max_value}` }]
}

function flowRule(content: WidgetContent): Violation[] {
  const { flow } = content
  if (!flow) return needs(content, 'flow')
  if (!isMissing(flow.inputs) || FLOW_NODES.some((node) => flow[node])) return []
  return [{ location: 'body.content.flow', message: `must have at least one of inputs, ${FLOW_NODES.join(', ')}` }]
}

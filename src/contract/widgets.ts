// Widgets as clients send and see them. Content is one flat object with the members of all templates;
// domain/widgets/templates checks which of them a template requires.
import { type Static, type TSchema, Type } from 'typebox'
import { WidgetAction } from './actions.ts'
import { closed, NonBlankText, Nullable, OneOf, OneOfOrUnset, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { CAPS } from './plans.ts'

export const WIDGET_TEMPLATES = [
  'value',
  'progress',
  'status',
  'gauge',
  'stat_list',
  'trend',
  'countdown',
  'battery',
  'schedule',
  'flow',
] as const
export type WidgetTemplate = (typeof WIDGET_TEMPLATES)[number]

export const WIDGET_SEVERITIES = ['info', 'warning', 'critical', 'success'] as const
export const TRENDS = ['up', 'down', 'flat'] as const
export const TIMER_STYLES = ['timer', 'relative'] as const
export const PERIOD_LEVELS = ['low', 'medium', 'high'] as const
export const DEVICE_SORT_FIELDS = ['level', 'name'] as const
export const SORT_DIRECTIONS = ['asc', 'desc'] as const
export const ACTION_SLOTS = ['tap_action', 'url_action', 'secondary_url_action'] as const
export const FLOW_NODES = ['output', 'storage', 'exchange'] as const

const Icon = Text(LIMITS.widget.maxIconChars, {
  description: 'a system symbol, or an icon-set name such as mdi:washing-machine',
})
const Color = Type.String({ description: 'a colour name such as teal, or 6 or 8 hex digits; "" unsets it' })
const Percent = Type.Number({ minimum: 0, maximum: 100 })

const Timer = Type.Object({ date: Timestamp, style: Type.Optional(OneOf(TIMER_STYLES)) }, { ...closed, title: 'Timer' })

const StatRow = Type.Object(
  {
    label: NonBlankText(LIMITS.widget.maxStatLabelChars),
    value: NonBlankText(LIMITS.widget.maxStatValueChars),
    unit: Type.Optional(Text(LIMITS.widget.maxStatUnitChars)),
    timer: Type.Optional(Timer),
  },
  { ...closed, title: 'StatRow' },
)

const BatteryDevice = Type.Object(
  {
    name: NonBlankText(LIMITS.widget.maxNodeNameChars),
    level: Percent,
    charging: Type.Optional(Type.Boolean()),
    icon: Type.Optional(Icon),
    color: Type.Optional(Color),
  },
  { ...closed, title: 'BatteryDevice' },
)

const DeviceSort = Type.Object(
  { field: OneOf(DEVICE_SORT_FIELDS), direction: Type.Optional(OneOf(SORT_DIRECTIONS)) },
  { ...closed, title: 'DeviceSort' },
)

const Period = Type.Object(
  { start: Timestamp, value: Type.Number(), level: Type.Optional(OneOf(PERIOD_LEVELS)) },
  { ...closed, title: 'Period' },
)

const FlowNode = Type.Object(
  {
    rate: Type.Number(),
    name: Type.Optional(Text(LIMITS.widget.maxNodeNameChars)),
    total: Type.Optional(Type.Number({ minimum: 0 })),
    level: Type.Optional(Percent),
    icon: Type.Optional(Icon),
    color: Type.Optional(Color),
  },
  { ...closed, title: 'FlowNode' },
)

const Flow = Type.Object(
  {
    inputs: Type.Optional(Type.Array(FlowNode, { maxItems: LIMITS.widget.maxFlowInputs })),
    output: Type.Optional(FlowNode),
    storage: Type.Optional(FlowNode),
    exchange: Type.Optional(FlowNode),
  },
  { ...closed, title: 'Flow' },
)

// Lists have no lower bound: an empty list is a placeholder unless the template requires the list.
export const WidgetContent = Type.Object(
  {
    template: OneOf(WIDGET_TEMPLATES),
    value: Type.Optional(Type.Number()),
    min_value: Type.Optional(Type.Number()),
    max_value: Type.Optional(Type.Number()),
    unit: Type.Optional(Text(LIMITS.widget.maxUnitChars)),
    label: Type.Optional(Text(LIMITS.widget.maxLabelChars)),
    subtitle: Type.Optional(Text(LIMITS.widget.maxLabelChars)),
    icon: Type.Optional(Icon),
    severity: Type.Optional(OneOfOrUnset(WIDGET_SEVERITIES)),
    accent_color: Type.Optional(Color),
    background_color: Type.Optional(Color),
    text_color: Type.Optional(Color),
    trend: Type.Optional(OneOfOrUnset(TRENDS)),
    stat_rows: Type.Optional(Type.Array(StatRow, { maxItems: LIMITS.widget.maxStatRows })),
    points: Type.Optional(Type.Array(Type.Number(), { maxItems: LIMITS.widget.points.max })),
    start_date: Type.Optional(Timestamp),
    end_date: Type.Optional(Timestamp),
    expired_text: Type.Optional(Text(LIMITS.widget.maxExpiredTextChars)),
    devices: Type.Optional(Type.Array(BatteryDevice, { maxItems: LIMITS.widget.maxBatteryDevices })),
    device_sort: Type.Optional(Type.Array(DeviceSort, { maxItems: LIMITS.widget.maxDeviceSorts })),
    periods: Type.Optional(Type.Array(Period, { maxItems: LIMITS.widget.maxPeriods })),
    flow: Type.Optional(Flow),
    subtitle_timer: Type.Optional(Timer),
    tap_action: Type.Optional(WidgetAction),
    url_action: Type.Optional(WidgetAction),
    secondary_url_action: Type.Optional(WidgetAction),
  },
  { ...closed, title: 'WidgetContent' },
)
export type WidgetContent = Static<typeof WidgetContent>

const Name = Text(LIMITS.name.maxChars, { minLength: 1, description: 'shown in the widget picker' })
const PushThrottle = Type.Integer({
  minimum: LIMITS.widget.pushThrottleSeconds.min,
  maximum: LIMITS.widget.pushThrottleSeconds.max,
  description: 'seconds between two pushes of this widget',
})
const StaleAfter = Type.Integer({
  minimum: LIMITS.widget.staleAfterSeconds.min,
  maximum: LIMITS.widget.staleAfterSeconds.max,
  description: 'seconds without an update until the widget is shown as stale',
})

export type WidgetContentInput = AsSent<WidgetContent>
export type WidgetContentPatch = AsPatch<WidgetContent>

export const WidgetInput = Type.Object(
  {
    slug: Slug,
    name: Name,
    content: Type.Unsafe<WidgetContentInput>(asSent(WidgetContent, 'whole')),
    push_throttle: Type.Optional(Nullable(PushThrottle)),
    stale_after: Type.Optional(Nullable(StaleAfter)),
  },
  {
    ...closed,
    title: 'WidgetInput',
    examples: [{ slug: 'office-temperature', name: 'Office', content: { template: 'value', value: 21.5, unit: '°C' } }],
  },
)
export type WidgetInput = Static<typeof WidgetInput>

// A widget always has a name and content, so null does not clear these two.
export const WidgetPatch = Type.Object(
  {
    name: Type.Optional(Name),
    content: Type.Optional(Type.Unsafe<WidgetContentPatch>(asSent(WidgetContent, 'patch'))),
    push_throttle: Type.Optional(Nullable(PushThrottle)),
    stale_after: Type.Optional(Nullable(StaleAfter)),
  },
  { ...closed, title: 'WidgetPatch', examples: [{ content: { value: 22.1, subtitle: null } }] },
)
export type WidgetPatch = Static<typeof WidgetPatch>

export const WidgetView = Type.Object(
  {
    slug: Type.String(),
    name: Type.String(),
    content: Type.Unsafe<WidgetContent>({
      type: 'object',
      additionalProperties: true,
      description: 'the content as it was sent, with every patch applied',
    }),
    push_throttle: Type.Optional(Type.Integer()),
    stale_after: Type.Optional(Type.Integer()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Widget' },
)
export type WidgetView = Static<typeof WidgetView>

// Clients send null for members they do not set, so null is allowed wherever a member may be absent. In a patch that is
// every member outside of lists; the entries of a list are always complete.
type AsSent<T> = T extends readonly (infer Entry)[]
  ? AsSent<Entry>[]
  : T extends object
    ? { [Name in keyof T]: AsSent<T[Name]> | (IsOptional<T, Name> extends true ? null : never) }
    : T
type AsPatch<T> = T extends readonly unknown[]
  ? AsSent<T>
  : T extends object
    ? { [Name in keyof T]?: AsPatch<T[Name]> | null }
    : T
type IsOptional<T, Name extends keyof T> = string extends keyof T ? true : undefined extends T[Name] ? true : false

type SchemaNode = {
  title?: string
  properties?: Record<string, TSchema>
  required?: string[]
  items?: TSchema
  additionalProperties?: TSchema | boolean
}

function asSent(schema: TSchema, extent: 'whole' | 'patch'): TSchema {
  const { title, properties, required = [], items, additionalProperties }: SchemaNode = schema
  if (items) return Type.Unsafe({ ...schema, items: asSent(items, 'whole') })
  if (typeof additionalProperties === 'object') {
    return Type.Unsafe({ ...schema, additionalProperties: Nullable(additionalProperties) })
  }
  if (!properties) return schema
  const members = Object.entries(properties).map(([name, member]) => {
    const mustStay = extent === 'whole' && required.includes(name)
    return [name, mustStay ? asSent(member, extent) : Type.Optional(Nullable(asSent(member, extent)))]
  })
  const suffix = extent === 'whole' ? 'Input' : 'Patch'
  return Type.Object(Object.fromEntries(members), { ...closed, ...(title && { title: title + suffix }) })
}

// The wall: all widgets of an account on one screen, in an order and in sizes that the person chose; and links that show it
// without a session.
export const WALL_SIZES = ['small', 'medium', 'large'] as const
export type WallSize = (typeof WALL_SIZES)[number]

const WallPlace = Type.Object({ slug: Slug, size: OneOf(WALL_SIZES) }, { ...closed, title: 'WallPlace' })
export type WallPlace = Static<typeof WallPlace>

export const Wall = Type.Object(
  {
    items: Type.Array(WallPlace, {
      description: 'Every widget once, in its order. One without a place comes last, in medium size.',
    }),
    shows_clock: Type.Boolean(),
  },
  { title: 'Wall' },
)

export const WallInput = Type.Object(
  {
    items: Type.Array(WallPlace, {
      maxItems: CAPS.widgets.most,
      description: 'Widgets that are not named come after these. A slug without a widget has no effect.',
    }),
    shows_clock: Type.Optional(Type.Boolean({ description: 'Default: as it is.' })),
  },
  { ...closed, title: 'WallInput', examples: [{ items: [{ slug: 'office', size: 'large' }], shows_clock: true }] },
)
export type WallInput = Static<typeof WallInput>

export const WallLinkInput = Type.Object(
  { name: Text(LIMITS.wall.maxLinkNameChars, { minLength: 1, description: 'Where it is shown.' }) },
  { ...closed, title: 'WallLinkInput', examples: [{ name: 'Tablet in the kitchen' }] },
)
export type WallLinkInput = Static<typeof WallLinkInput>

const LINK = {
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'Absent for a widget token that an operator made.' })),
  created_at: Timestamp,
}
export const WallLinkView = Type.Object(LINK, { title: 'WallLink', description: 'Never has the token itself.' })
export type WallLinkView = Static<typeof WallLinkView>

export const NewWallLink = Type.Object(
  {
    ...LINK,
    url: Type.String({
      description: 'Shows the wall to everyone who has it, until it is revoked. No later response repeats it.',
    }),
  },
  { title: 'NewWallLink' },
)

export const WallLinkParams = Type.Object({ link_id: Type.String({ description: 'The id of the link.' }) })

// The fields of the builders: every list has rows, rows do not change content that nobody edits, and messages have the words
// of the form.
import { describe, expect, test } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../console/src/builder/activity-examples.ts'
import { activityFields } from '../../console/src/builder/fields/activity-fields.ts'
import { valueAt, withValueAt } from '../../console/src/builder/fields/document.ts'
import { type ContentField, placesOf, type RowsField } from '../../console/src/builder/fields/field.ts'
import { unitOf } from '../../console/src/builder/fields/number-field.tsx'
import { columns, controls, series } from '../../console/src/builder/fields/rows.ts'
import { widgetFields } from '../../console/src/builder/fields/widget-fields.ts'
import { violationInWords } from '../../console/src/builder/violation-words.ts'
import { WIDGET_EXAMPLES } from '../../console/src/builder/widget-examples.ts'
import { BUILDER_TEXTS } from '../../console/src/texts/builder.ts'
import { movedTo } from '../../console/src/ui/reorder.tsx'
import { LIMITS } from '../../src/contract/limits.ts'
import { WidgetContent } from '../../src/contract/widgets.ts'
import { ACTIVITY_TEMPLATES } from '../../src/domain/activities/templates/templates.ts'
import { templateViolations } from '../../src/domain/widgets/templates/templates.ts'

type Content = Record<string, unknown>

const EXAMPLES: [name: string, content: Content, fields: ContentField[]][] = [
  ...Object.values(WIDGET_EXAMPLES).map((make) => {
    const { content } = make(1_800_000_000_000)
    return [`widget ${content.template}`, content as Content, widgetFields(content as Content)] as never
  }),
  ...Object.values(ACTIVITY_EXAMPLES).map((make) => {
    const { content } = make(1_800_000_000_000)
    return [`activity ${content.template}`, content as Content, activityFields(content as Content)] as never
  }),
]

const rowsOf = (fields: ContentField[]): RowsField[] => fields.filter((field) => field.kind === 'rows')

describe('lists', () => {
  test.each(EXAMPLES)('%s: rows that nobody edits leave the content as it is', (_, content, fields) => {
    for (const { source } of rowsOf(fields)) expect(source.write(content, source.read(content))).toEqual(content)
  })

  test('every list of a widget has rows', () => {
    const properties = Object.entries(WidgetContent.properties) as [string, { type?: string }][]
    const lists = properties.filter(([, { type }]) => type === 'array').map(([name]) => name)
    const covered = EXAMPLES.flatMap(([, , fields]) => rowsOf(fields).flatMap(({ covers }) => covers))
    expect(lists.filter((list) => !covered.includes(list))).toEqual([])
    expect(covered).toContain('flow.inputs')
  })

  test('every list of an activity has rows', () => {
    for (const [template, { fields }] of Object.entries(ACTIVITY_TEMPLATES)) {
      const lists = Object.entries(fields as Record<string, { type?: string }>)
        .filter(([, { type }]) => type === 'array')
        .map(([name]) => name)
      const covered = rowsOf(activityFields({ template })).flatMap(({ covers }) => covers)
      expect(
        lists.filter((list) => !covered.includes(list)),
        template,
      ).toEqual([])
    }
  })

  test('a list takes as many rows as the server does', () => {
    const most = Object.fromEntries(
      EXAMPLES.flatMap(([, , fields]) => rowsOf(fields).map((rows) => [rows.member, rows.most])),
    )
    const { widget, activity } = LIMITS
    expect(most).toEqual({
      stat_rows: widget.maxStatRows,
      points: widget.points.max,
      devices: widget.maxBatteryDevices,
      device_sort: widget.maxDeviceSorts,
      periods: widget.maxPeriods,
      'flow.inputs': widget.maxFlowInputs,
      steps: activity.maxSteps,
      series: activity.maxSeries,
      thresholds: activity.maxThresholds,
      tiles: activity.maxTiles,
      lines: activity.maxLines,
      controls: 9,
      'controls.extra': activity.maxExtraControls,
      options: activity.options.max,
      details: activity.maxDetails,
    })
  })

  test('every list and every field has a label', () => {
    for (const [name, , fields] of EXAMPLES) {
      for (const { member } of rowsOf(fields)) expect(BUILDER_TEXTS.lists, name).toHaveProperty([member])
      const labels = fields.flatMap((field) =>
        field.kind === 'rows' ? field.fields : 'fields' in field ? [] : [field],
      )
      for (const { member } of labels) {
        expect(
          BUILDER_TEXTS.members[member] ?? BUILDER_TEXTS.members[member.split('.').at(-1) as string],
          member,
        ).toBeDefined()
      }
    }
  })

  test('steps are parallel lists: a list that no row uses is not sent', () => {
    const source = columns('total_steps', { step_labels: '', step_weights: 1 })
    expect(source.write({}, [{ step_labels: 'Build' }, {}])).toEqual({ total_steps: 2, step_labels: ['Build', ''] })
  })

  test('series are named values with units, and their violations are found by name', () => {
    const written = series.write({}, [
      { name: 'p95', value: 2, unit: 'ms' },
      { name: 'p50', value: 1 },
    ])
    expect(written).toEqual({ value: { p95: 2, p50: 1 }, units: { p95: 'ms' } })
    expect(series.placeOf({ name: 'p95' }, 0, 'unit')).toBe('units.p95')
  })

  test('the buttons of a player keep members that have no field, and the extra buttons', () => {
    const content = {
      controls: { next: { url: 'https://a', headers: { a: 'b' } }, extra: [{ icon: 'x', url: 'https://b' }] },
    }
    expect(controls.write(content, controls.read(content))).toEqual(content)
  })

  test('an entry moves to another place', () => {
    expect(movedTo(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(movedTo(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
  })
})

describe('members', () => {
  test('an empty field removes its member, and the object that it was the last member of', () => {
    const content = withValueAt({ template: 'flow' }, 'flow.storage.rate', 2)
    expect(content).toEqual({ template: 'flow', flow: { storage: { rate: 2 } } })
    expect(valueAt(content, 'flow.storage.rate')).toBe(2)
    expect(withValueAt(content, 'flow.storage.rate', undefined)).toEqual({ template: 'flow' })
  })

  test('a time has the largest unit in which it is a whole number', () => {
    expect([45, 90, 1800, 7200, 172_800, 0].map(unitOf)).toEqual(['s', 's', 'min', 'h', 'd', 's'])
  })
})

describe('violations', () => {
  test('name the fields of the form, not members of the API', () => {
    const gauge = { template: 'gauge', value: 50, min_value: 10, max_value: 35 } as const
    const [outside] = templateViolations(gauge)
    expect(violationInWords(outside?.message ?? '')).toBe(
      'Must be between the lowest value, 10, and the highest value, 35.',
    )
    const messages = [
      ...templateViolations({ template: 'gauge' }),
      ...templateViolations({ template: 'progress' }),
      ...templateViolations({ template: 'progress', value: 7 }),
      ...templateViolations({ template: 'flow' }),
    ].map(({ message }) => violationInWords(message))
    expect(messages.filter((message) => /_|template/.test(message))).toEqual([])
  })

  test('without words of their own keep the server’s, with the labels of the fields', () => {
    expect(violationInWords('needs end_date or something')).toBe('needs Ends or something')
  })

  test('belong to the field that shows them, also those of rows, groups and folded fields', () => {
    const places = widgetFields({ template: 'flow' }).flatMap(placesOf)
    expect(places).toEqual(
      expect.arrayContaining(['content.flow.inputs', 'content.flow.storage', 'content.tap_action']),
    )
  })
})

// Every limit of every template, on both sides; each refusal names the location.
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problems.ts'
import { WIDGET_TEMPLATES, type WidgetContentInput, type WidgetTemplate } from '../../../src/contract/widgets.ts'
import { fromRfc3339, plusSeconds, toRfc3339 } from '../../../src/domain/instant.ts'
import { newWidgetContent } from '../../../src/domain/widgets/widget.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const inSeconds = (seconds: number) => toRfc3339(plusSeconds(NOW, seconds))
// Characters outside the basic multilingual plane, so that counting anything but code points fails.
const text = (characters: number) => '😀'.repeat(characters)
const times = <T>(count: number, entry: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => entry(index))

// The minimal content of each template.
const LEAST = {
  value: { template: 'value' },
  progress: { template: 'progress', value: 0.5 },
  status: { template: 'status' },
  gauge: { template: 'gauge', value: 5, min_value: 0, max_value: 10 },
  stat_list: { template: 'stat_list', stat_rows: [{ label: 'CPU', value: '42' }] },
  trend: { template: 'trend', value: 1, points: [1, 2] },
  countdown: { template: 'countdown', end_date: inSeconds(60) },
  battery: { template: 'battery', devices: [{ name: 'Phone', level: 64 }] },
  schedule: { template: 'schedule', periods: [{ start: inSeconds(0), value: 0.4 }] },
  flow: { template: 'flow', flow: { output: { rate: 900 } } },
} satisfies Record<WidgetTemplate, WidgetContentInput>

// The tables contain values that the type forbids.
const content = (template: WidgetTemplate, fields: object) => ({ ...LEAST[template], ...fields }) as WidgetContentInput

function refusals(template: WidgetTemplate, fields: object): string[] {
  try {
    newWidgetContent(content(template, fields), NOW)
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(error.problem).toBe('widget.content_invalid')
    expect(error.detail).toContain(error.members.errors?.[0]?.location)
    return (error.members.errors ?? []).map((violation) => violation.location)
  }
}

type Row = [rule: string, accepted: object, refused: object, location: string]

function checkRows(template: WidgetTemplate, rows: Row[]) {
  test.each(rows)('%s', (_rule, accepted, refused, location) => {
    expect(newWidgetContent(content(template, accepted), NOW)).toMatchObject(accepted)
    expect(refusals(template, refused)).toEqual([`body.content.${location}`])
  })
}

test.each(WIDGET_TEMPLATES)('the minimal content of %s is stored unchanged', (template) => {
  expect(newWidgetContent(LEAST[template], NOW)).toEqual(LEAST[template])
})

describe('required fields', () => {
  test.each<[WidgetTemplate, string[]]>([
    ['value', []],
    ['progress', ['value']],
    ['status', []],
    ['gauge', ['value', 'min_value', 'max_value']],
    ['stat_list', ['stat_rows']],
    ['trend', ['value', 'points']],
    ['countdown', ['end_date']],
    ['battery', ['devices']],
    ['schedule', ['periods']],
    ['flow', ['flow']],
  ])('%s requires %j', (template, fields) => {
    const missing = Object.fromEntries(Object.keys(LEAST[template]).map((name) => [name, null]))
    expect(refusals(template, { ...missing, template })).toEqual(fields.map((field) => `body.content.${field}`))
    for (const field of fields) {
      expect(refusals(template, { [field]: null })).toEqual([`body.content.${field}`])
    }
  })

  test.each<[WidgetTemplate, string]>([
    ['stat_list', 'stat_rows'],
    ['trend', 'points'],
    ['battery', 'devices'],
    ['schedule', 'periods'],
  ])('%s refuses empty %s, which other templates accept as a placeholder', (template, field) => {
    expect(refusals(template, { [field]: [] })).toEqual([`body.content.${field}`])
    expect(newWidgetContent(content('status', { [field]: [] }), NOW)).toHaveProperty(field, [])
  })

  test('template is required and one of ten', () => {
    expect(WIDGET_TEMPLATES).toHaveLength(10)
    expect(refusals('value', { template: undefined })).toEqual(['body.content.template'])
    expect(refusals('value', { template: null })).toEqual(['body.content.template'])
    expect(refusals('value', { template: 'bogus' })).toEqual(['body.content.template'])
  })
})

describe('rules of one template', () => {
  const window = { start_date: inSeconds(-60), end_date: inSeconds(60) }
  checkRows('progress', [
    ['value from 0', { value: 0 }, { value: -0.001 }, 'value'],
    ['value to 1', { value: 1 }, { value: 1.001 }, 'value'],
    ['value also with both dates', { ...window, value: 1 }, { ...window, value: 2 }, 'value'],
  ])
  checkRows('gauge', [
    ['value from min_value', { value: 0 }, { value: -0.001 }, 'value'],
    ['value to max_value', { value: 10 }, { value: 10.001 }, 'value'],
  ])
  checkRows('flow', [
    ['storage is enough', { flow: { storage: { rate: -1 } } }, { flow: {} }, 'flow'],
    ['exchange is enough', { flow: { exchange: { rate: 1 } } }, { flow: { output: null } }, 'flow'],
    ['one input is enough', { flow: { inputs: [{ rate: 1 }] } }, { flow: { inputs: [] } }, 'flow'],
  ])

  test('progress accepts both dates instead of a value, but not one of them', () => {
    expect(refusals('progress', { value: null, ...window })).toEqual([])
    expect(refusals('progress', { value: null, end_date: window.end_date })).toEqual(['body.content.value'])
    expect(refusals('progress', { value: null, start_date: window.start_date })).toEqual(['body.content.value'])
  })

  test('value is not limited by min_value and max_value outside a gauge', () => {
    expect(refusals('value', { value: 500, min_value: 0, max_value: 100 })).toEqual([])
    expect(refusals('trend', { value: 500, min_value: 0, max_value: 100 })).toEqual([])
  })
})

// These limits hold for every template, including templates that ignore the field.
describe.each(WIDGET_TEMPLATES)('single fields under %s', (template) => {
  checkRows(template, [
    ['value is not infinite', { value: 0.5 }, { value: Number.POSITIVE_INFINITY }, 'value'],
    ['value is a number', { value: 1 }, { value: '1' }, 'value'],
    ['min_value is finite', { min_value: -1e308 }, { min_value: Number.NEGATIVE_INFINITY }, 'min_value'],
    ['max_value is finite', { max_value: 1e308 }, { max_value: Number.NaN }, 'max_value'],
    ['min below max', { min_value: 0, max_value: 9 }, { min_value: 1, max_value: 1 }, 'min_value'],
    ['unit', { unit: text(32) }, { unit: text(33) }, 'unit'],
    ['label', { label: text(256) }, { label: text(257) }, 'label'],
    ['subtitle', { subtitle: text(256) }, { subtitle: text(257) }, 'subtitle'],
    ['icon', { icon: text(128) }, { icon: text(129) }, 'icon'],
    ['expired_text', { expired_text: text(64) }, { expired_text: text(65) }, 'expired_text'],
    ['severity', { severity: 'success' }, { severity: 'bogus' }, 'severity'],
    ['severity in lower case', { severity: 'info' }, { severity: 'Info' }, 'severity'],
    ['trend', { trend: 'flat' }, { trend: 'sideways' }, 'trend'],
    ['accent_color', { accent_color: 'Teal' }, { accent_color: 'chartreuse' }, 'accent_color'],
    ['background_color', { background_color: '123456' }, { background_color: '#123' }, 'background_color'],
    ['text_color', { text_color: '#12345678' }, { text_color: '#1234567' }, 'text_color'],
    ['no unknown member', {}, { colour: 'red' }, 'colour'],
  ])
})

const row = { label: 'CPU', value: '42' }
const rows = (fields: object) => ({ stat_rows: [row, { ...row, ...fields }] })

describe.each<WidgetTemplate>(['stat_list', 'trend', 'status'])('stat_rows and points under %s', (template) => {
  checkRows(template, [
    ['6 rows', { stat_rows: times(6, () => row) }, { stat_rows: times(7, () => row) }, 'stat_rows'],
    ['label', rows({ label: text(32) }), rows({ label: text(33) }), 'stat_rows[1].label'],
    ['label not blank', rows({ label: ' x' }), rows({ label: ' \t' }), 'stat_rows[1].label'],
    ['label required', rows({}), rows({ label: null }), 'stat_rows[1].label'],
    ['value', rows({ value: text(32) }), rows({ value: text(33) }), 'stat_rows[1].value'],
    ['value not blank', rows({ value: '—' }), rows({ value: '' }), 'stat_rows[1].value'],
    ['value is a string', rows({ value: '1' }), rows({ value: 1 }), 'stat_rows[1].value'],
    ['unit', rows({ unit: text(16) }), rows({ unit: text(17) }), 'stat_rows[1].unit'],
    ['closed', rows({}), rows({ icon: 'x' }), 'stat_rows[1].icon'],
    ['at least 2 points', { points: [1, 2] }, { points: [1] }, 'points'],
    ['at most 48 points', { points: times(48, Number) }, { points: times(49, Number) }, 'points'],
    ['finite points', { points: [0, -1] }, { points: [0, Number.POSITIVE_INFINITY] }, 'points[1]'],
    ['no null point', { points: [0, -1] }, { points: [0, null] }, 'points[1]'],
  ])
})

const device = { name: 'Phone', level: 64 }
const devices = (fields: object) => ({ devices: [device, { ...device, ...fields }] })
const sorts = (...device_sort: object[]) => ({ device_sort })
const byLevel = { field: 'level' }
const towards = (direction: string) => sorts({ field: 'name', direction })

describe.each<WidgetTemplate>(['battery', 'status'])('devices under %s', (template) => {
  checkRows(template, [
    ['8 devices', { devices: times(8, () => device) }, { devices: times(9, () => device) }, 'devices'],
    ['name', devices({ name: text(32) }), devices({ name: text(33) }), 'devices[1].name'],
    ['name not blank', devices({ name: 'x' }), devices({ name: '  ' }), 'devices[1].name'],
    ['level from 0', devices({ level: 0 }), devices({ level: -0.1 }), 'devices[1].level'],
    ['level to 100', devices({ level: 100 }), devices({ level: 100.1 }), 'devices[1].level'],
    ['level required', devices({}), devices({ level: null }), 'devices[1].level'],
    ['charging', devices({ charging: true }), devices({ charging: 'yes' }), 'devices[1].charging'],
    ['icon', devices({ icon: text(128) }), devices({ icon: text(129) }), 'devices[1].icon'],
    ['color', devices({ color: 'red' }), devices({ color: 'rot' }), 'devices[1].color'],
    ['closed', devices({}), devices({ rate: 1 }), 'devices[1].rate'],
    ['sort field', sorts({ field: 'name' }), sorts({ field: 'icon' }), 'device_sort[0].field'],
    ['direction', towards('desc'), towards(''), 'device_sort[0].direction'],
    ['no field twice', sorts(byLevel, { field: 'name' }), sorts(byLevel, byLevel), 'device_sort[1].field'],
    ['2 sorts', sorts(byLevel, { field: 'name' }), sorts(byLevel, { field: 'name' }, byLevel), 'device_sort'],
  ])
})

const periods = (fields: object, count = 2) => ({
  periods: times(count, (index) => ({ start: inSeconds(index), value: 1, ...(index === 1 && fields) })),
})

describe.each<WidgetTemplate>(['schedule', 'status'])('periods under %s', (template) => {
  checkRows(template, [
    ['48 periods', periods({}, 48), periods({}, 49), 'periods'],
    ['value required', periods({ value: -3.5 }), periods({ value: null }), 'periods[1].value'],
    ['value is finite', periods({ value: 0 }), periods({ value: Number.NaN }), 'periods[1].value'],
    ['level', periods({ level: 'high' }), periods({ level: 'urgent' }), 'periods[1].level'],
    ['starts increase', periods({}), periods({ start: inSeconds(0) }), 'periods[1].start'],
    ['starts do not go back', periods({}), periods({ start: inSeconds(-1) }), 'periods[1].start'],
    ['start has an offset', periods({}), periods({ start: '2026-11-15T08:00:01' }), 'periods[1].start'],
  ])
})

const node = { rate: 1 }
const inputs = (count: number, fields: object = {}) => ({
  flow: { inputs: times(count, (index) => ({ ...node, ...(index === 1 && fields) })) },
})

describe.each<WidgetTemplate>(['flow', 'status'])('flow under %s', (template) => {
  describe.each(['output', 'storage', 'exchange'])('%s', (slot) => {
    const flow = (fields: object) => ({ flow: { [slot]: { ...node, ...fields } } })
    checkRows(template, [
      ['rate is finite', flow({ rate: -450 }), flow({ rate: Number.NaN }), `flow.${slot}.rate`],
      ['rate required', flow({}), flow({ rate: null }), `flow.${slot}.rate`],
      ['name', flow({ name: text(32) }), flow({ name: text(33) }), `flow.${slot}.name`],
      ['total', flow({ total: 0 }), flow({ total: -0.1 }), `flow.${slot}.total`],
      ['level from 0', flow({ level: 0 }), flow({ level: -1 }), `flow.${slot}.level`],
      ['level to 100', flow({ level: 100 }), flow({ level: 101 }), `flow.${slot}.level`],
      ['icon', flow({ icon: text(128) }), flow({ icon: text(129) }), `flow.${slot}.icon`],
      ['color', flow({ color: 'mint' }), flow({ color: '#12' }), `flow.${slot}.color`],
      ['closed', flow({}), flow({ unit: 'W' }), `flow.${slot}.unit`],
    ])
  })
  checkRows(template, [
    ['3 inputs', inputs(3), inputs(4), 'flow.inputs'],
    ['input color', inputs(2, { color: 'AABBCC' }), inputs(2, { color: 'x' }), 'flow.inputs[1].color'],
    ['input total', inputs(2, { total: 18.4 }), inputs(2, { total: -1 }), 'flow.inputs[1].total'],
    ['no other slot', { flow: { output: node } }, { flow: { output: node, input: node } }, 'flow.input'],
  ])
})

describe.each<WidgetTemplate>(['countdown', 'stat_list', 'schedule', 'status'])('dates under %s', (template) => {
  const far = inSeconds(366 * 86_400)
  const tooFar = inSeconds(366 * 86_400 + 1)
  const old = '2000-01-01T00:00:01Z'
  const tooOld = '2000-01-01T00:00:00Z'
  const timer = (date: string, style?: string) => ({
    subtitle_timer: { date, ...(style !== undefined && { style }) },
  })
  const rowTimer = (date: string) => ({ stat_rows: [{ ...row, timer: { date } }] })
  const period = (start: string) => ({ periods: [{ start, value: 1 }] })
  const span = (start_date: string) => ({ start_date, end_date: '2026-11-15T09:00:00Z' })

  checkRows(template, [
    ['end_date horizon', { end_date: far }, { end_date: tooFar }, 'end_date'],
    ['end_date floor', { end_date: old }, { end_date: tooOld }, 'end_date'],
    ['end_date form', { end_date: '2026-11-15T09:00:00+01:00' }, { end_date: 'tomorrow' }, 'end_date'],
    ['start_date floor', { start_date: old }, { start_date: tooOld }, 'start_date'],
    ['start before end', span('2026-11-15T09:59:59+01:00'), span('2026-11-15T10:00:00+01:00'), 'start_date'],
    ['subtitle_timer horizon', timer(far), timer(tooFar), 'subtitle_timer.date'],
    ['subtitle_timer floor', timer(old), timer(tooOld), 'subtitle_timer.date'],
    ['subtitle_timer date', timer(far), { subtitle_timer: {} }, 'subtitle_timer.date'],
    ['subtitle_timer style', timer(far, 'relative'), timer(far, 'ticking'), 'subtitle_timer.style'],
    ['row timer horizon', rowTimer(far), rowTimer(tooFar), 'stat_rows[0].timer.date'],
    ['row timer floor', rowTimer(old), rowTimer(tooOld), 'stat_rows[0].timer.date'],
    ['period horizon', period(far), period(tooFar), 'periods[0].start'],
    ['period floor', period(old), period(tooOld), 'periods[0].start'],
  ])
})

test('start_date has the same horizon', () => {
  expect(refusals('status', { start_date: inSeconds(366 * 86_400) })).toEqual([])
  expect(refusals('status', { start_date: inSeconds(366 * 86_400 + 1) })).toEqual(['body.content.start_date'])
})

const url = 'https://example.com'

describe.each(['tap_action', 'url_action', 'secondary_url_action'])('%s', (slot) => {
  const action = (fields: object) => ({ [slot]: { url, ...fields } })
  const headers = (members: object) => action({ headers: members })
  checkRows('value', [
    ['url required', action({}), { [slot]: { title: 'Open' } }, `${slot}.url`],
    ['url scheme', action({ url: 'app://x' }), action({ url: 'data:x' }), `${slot}.url`],
    ['url length', action({ url: url.padEnd(2048, '/') }), action({ url: url.padEnd(2049, '/') }), `${slot}.url`],
    ['title', action({ title: text(64) }), action({ title: text(65) }), `${slot}.title`],
    ['icon', action({ icon: text(64) }), action({ icon: text(65) }), `${slot}.icon`],
    ['body', action({ body: text(1024) }), action({ body: text(1025) }), `${slot}.body`],
    ['method', action({ method: 'HEAD' }), action({ method: 'TRACE' }), `${slot}.method`],
    ['method needs http', action({ method: 'GET' }), action({ url: 'app://x', method: 'GET' }), `${slot}.method`],
    ['header is one line', headers({ A: 'b' }), headers({ A: 'b\nC: d' }), `${slot}.headers.A`],
    ['header is a string', headers({ A: '1' }), headers({ A: 1 }), `${slot}.headers.A`],
    ['header of any name', headers({ B: '' }), headers({ 'a\nb': 1 }), `${slot}.headers.a\nb`],
    ['foreground', action({ foreground: true }), action({ foreground: 'true' }), `${slot}.foreground`],
    ['closed', action({}), action({ id: 'x' }), `${slot}.id`],
  ])
})

test('every violation is listed, not only the first', () => {
  const wrong = { value: 50, text_color: 'rot', end_date: '1999-01-01T00:00:00Z', tap_action: { url: 'nowhere' } }
  expect(refusals('gauge', wrong)).toEqual(
    ['value', 'text_color', 'tap_action.url', 'end_date'].map((field) => `body.content.${field}`),
  )
})

// How widget content is stored, patched and sorted, and when a widget may be pushed again.
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problems.ts'
import type { WidgetContent, WidgetContentInput } from '../../../src/contract/widgets.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import { fromRfc3339, plusSeconds, toRfc3339 } from '../../../src/domain/instant.ts'
import {
  newWidgetContent,
  nextPushAt,
  patchedWidgetContent,
  type Widget,
  type WidgetId,
} from '../../../src/domain/widgets/widget.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const inSeconds = (seconds: number) => toRfc3339(plusSeconds(NOW, seconds))

function refusals(attempt: () => unknown): string[] {
  try {
    attempt()
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(error.problem).toBe('widget.content_invalid')
    return (error.members.errors ?? []).map((violation) => violation.location)
  }
}

describe('newContent', () => {
  test('null counts as absent, at every depth', () => {
    const content: WidgetContentInput = {
      template: 'battery',
      value: null,
      severity: null,
      flow: null,
      devices: [{ name: 'Phone', level: 64, charging: null, icon: null, color: null }],
      subtitle_timer: { date: inSeconds(60), style: null },
      tap_action: { url: 'https://example.com', title: null, headers: { 'X-A': 'b', 'X-B': null } },
      url_action: null,
    }
    expect(newWidgetContent(content, NOW)).toStrictEqual({
      template: 'battery',
      devices: [{ name: 'Phone', level: 64 }],
      subtitle_timer: { date: inSeconds(60) },
      tap_action: { url: 'https://example.com', headers: { 'X-A': 'b' } },
    })
  })

  test('"" unsets severity, trend and colours, and is kept elsewhere', () => {
    const content: WidgetContentInput = {
      template: 'flow',
      label: '',
      unit: '',
      severity: '',
      trend: '',
      accent_color: '',
      background_color: '',
      text_color: '',
      devices: [{ name: 'Phone', level: 1, icon: '', color: '' }],
      flow: { inputs: [{ rate: 1, color: '' }], output: { rate: 1, name: '', color: '' } },
      tap_action: { url: 'https://example.com', headers: { color: '' } },
    }
    expect(newWidgetContent(content, NOW)).toStrictEqual({
      template: 'flow',
      label: '',
      unit: '',
      devices: [{ name: 'Phone', level: 1, icon: '' }],
      flow: { inputs: [{ rate: 1 }], output: { rate: 1, name: '' } },
      tap_action: { url: 'https://example.com', headers: { color: '' } },
    })
  })

  test('methods are stored in upper case, colours and dates unchanged', () => {
    const action = { url: 'https://example.com', method: 'post' }
    const content = newWidgetContent(
      {
        template: 'value',
        accent_color: 'tEaL',
        end_date: '2026-11-15T10:00:00.123456+01:00',
        tap_action: action,
        url_action: action,
        secondary_url_action: { url: 'https://example.com', method: 'Delete' },
      },
      NOW,
    )
    expect(content).toMatchObject({
      accent_color: 'tEaL',
      end_date: '2026-11-15T10:00:00.123456+01:00',
      tap_action: { method: 'POST' },
      url_action: { method: 'POST' },
      secondary_url_action: { method: 'DELETE' },
    })
    expect(action.method).toBe('post')
  })

  test('a refusal is one problem with a sentence and every location', () => {
    const attempt = () =>
      newWidgetContent(
        {
          template: 'stat_list',
          stat_rows: [
            { label: 'a', value: ' ' },
            { label: '', value: 'b' },
          ],
        },
        NOW,
      )
    expect(refusals(attempt)).toEqual(['body.content.stat_rows[0].value', 'body.content.stat_rows[1].label'])
    expect(attempt).toThrow('body.content.stat_rows[0].value must be text that is not blank (and 1 more; see errors).')
  })
})

describe('battery devices', () => {
  const devices = [
    { name: 'watch', level: 31 },
    { name: 'Phone', level: 64 },
    { name: 'Lock', level: 31 },
    { name: 'phone', level: 20 },
  ]
  const order = (content: WidgetContent) => content.devices?.map((device) => `${device.name} ${device.level}`)

  test.each<[string, WidgetContent['device_sort'], string[]]>([
    ['nothing', undefined, ['watch 31', 'Phone 64', 'Lock 31', 'phone 20']],
    ['an empty list', [], ['watch 31', 'Phone 64', 'Lock 31', 'phone 20']],
    ['level', [{ field: 'level' }], ['phone 20', 'watch 31', 'Lock 31', 'Phone 64']],
    ['level desc', [{ field: 'level', direction: 'desc' }], ['Phone 64', 'watch 31', 'Lock 31', 'phone 20']],
    ['name', [{ field: 'name', direction: 'asc' }], ['Lock 31', 'Phone 64', 'phone 20', 'watch 31']],
    ['name desc', [{ field: 'name', direction: 'desc' }], ['watch 31', 'Phone 64', 'phone 20', 'Lock 31']],
    ['level, name', [{ field: 'level' }, { field: 'name' }], ['phone 20', 'Lock 31', 'watch 31', 'Phone 64']],
    [
      'name, level desc',
      [{ field: 'name' }, { field: 'level', direction: 'desc' }],
      ['Lock 31', 'Phone 64', 'phone 20', 'watch 31'],
    ],
  ])('are sorted by %s', (_by, device_sort, expected) => {
    const content = newWidgetContent({ template: 'battery', devices, device_sort }, NOW)
    expect(order(content)).toEqual(expected)
    expect(content.device_sort).toEqual(device_sort)
  })

  test('are not sorted under another template, and sorted once it becomes battery', () => {
    const content = newWidgetContent({ template: 'status', devices, device_sort: [{ field: 'level' }] }, NOW)
    expect(content.devices).toEqual(devices)
    expect(order(patchedWidgetContent(content, { template: 'battery' }, NOW))?.[0]).toBe('phone 20')
  })

  test('are sorted again when a patch sends devices or another order', () => {
    const content = newWidgetContent({ template: 'battery', devices, device_sort: [{ field: 'level' }] }, NOW)
    const replaced = patchedWidgetContent(content, { devices: devices.slice(0, 2).reverse() }, NOW)
    expect(order(replaced)).toEqual(['watch 31', 'Phone 64'])
    const byName = patchedWidgetContent(content, { device_sort: [{ field: 'name' }] }, NOW)
    expect(order(byName)).toEqual(['Lock 31', 'phone 20', 'Phone 64', 'watch 31'])
    expect(order(patchedWidgetContent(byName, { device_sort: null }, NOW))).toEqual(order(byName))
  })

  test('the location of a violation is the index at which the device was sent', () => {
    const sent = [
      { name: 'b', level: 9 },
      { name: 'a', level: 1, color: 'rot' },
    ]
    expect(
      refusals(() => newWidgetContent({ template: 'battery', devices: sent, device_sort: [{ field: 'level' }] }, NOW)),
    ).toEqual(['body.content.devices[1].color'])
  })
})

describe('patchedContent', () => {
  const current = Object.freeze(
    newWidgetContent(
      {
        template: 'gauge',
        value: 5,
        min_value: 0,
        max_value: 10,
        label: 'CPU',
        severity: 'info',
        points: [1, 2, 3],
        subtitle_timer: { date: inSeconds(60), style: 'relative' },
        tap_action: { url: 'https://example.com', method: 'POST', headers: { 'X-A': 'a', 'X-B': 'b' } },
      },
      NOW,
    ),
  )

  test('keeps absent members, clears null, merges objects and replaces lists', () => {
    const patched = patchedWidgetContent(
      current,
      {
        value: 6,
        label: null,
        points: [4, 5],
        subtitle_timer: { style: null },
        tap_action: { title: 'Open', method: 'put', headers: { 'X-A': null, 'X-C': 'c' } },
      },
      NOW,
    )
    expect(patched).toStrictEqual({
      template: 'gauge',
      value: 6,
      min_value: 0,
      max_value: 10,
      severity: 'info',
      points: [4, 5],
      subtitle_timer: { date: inSeconds(60) },
      tap_action: { url: 'https://example.com', method: 'PUT', headers: { 'X-B': 'b', 'X-C': 'c' }, title: 'Open' },
    })
  })

  test('"" clears like null', () => {
    expect(patchedWidgetContent(current, { severity: '', accent_color: '' }, NOW)).not.toHaveProperty('severity')
    expect(patchedWidgetContent(current, { severity: null }, NOW)).not.toHaveProperty('severity')
  })

  test.each<[string, Parameters<typeof patchedWidgetContent>[1], string[]]>([
    ['a value outside the stored bounds', { value: 11 }, ['value']],
    ['a limit that excludes the stored value', { max_value: 4 }, ['value']],
    ['clearing a required field of the template', { min_value: null }, ['min_value']],
    ['clearing the template', { template: null }, ['template']],
    ['a template whose fields are missing', { template: 'battery' }, ['devices']],
    ['an action without url', { url_action: { title: 'Open' } }, ['url_action.url']],
    ['clearing the url of an action', { tap_action: { url: null } }, ['tap_action.url']],
    [
      'a custom scheme under the stored method and headers',
      { tap_action: { url: 'app://x' } },
      ['tap_action.method', 'tap_action.headers'],
    ],
    ['a timer without date', { subtitle_timer: { date: null } }, ['subtitle_timer.date']],
    ['a date too far ahead', { subtitle_timer: { date: inSeconds(367 * 86_400) } }, ['subtitle_timer.date']],
    ['an incomplete list entry', { stat_rows: [{ label: 'a', value: '' }] }, ['stat_rows[0].value']],
  ])('refuses %s and changes nothing', (_what, patch, fields) => {
    const before = structuredClone(current)
    expect(refusals(() => patchedWidgetContent(current, patch, NOW))).toEqual(
      fields.map((field) => `body.content.${field}`),
    )
    expect(current).toEqual(before)
  })

  test('a patch may change the template together with its required fields', () => {
    const patched = patchedWidgetContent(current, { template: 'trend', points: [1, 2] }, NOW)
    expect(patched).toMatchObject({ template: 'trend', value: 5, points: [1, 2] })
  })

  test('only dates in the patch are compared with the current time', () => {
    const countdown = newWidgetContent({ template: 'countdown', end_date: inSeconds(300 * 86_400) }, NOW)
    const muchEarlier = plusSeconds(NOW, -100 * 86_400)
    const muchLater = plusSeconds(NOW, 1000 * 86_400)

    expect(patchedWidgetContent(countdown, { label: 'Launch' }, muchEarlier)).toMatchObject({ label: 'Launch' })
    expect(patchedWidgetContent(countdown, { label: 'Launched' }, muchLater)).toMatchObject({ label: 'Launched' })
    expect(refusals(() => patchedWidgetContent(countdown, { end_date: inSeconds(300 * 86_400) }, muchEarlier))).toEqual(
      ['body.content.end_date'],
    )
  })

  test('a sent start_date is compared with the stored end_date', () => {
    const countdown = newWidgetContent({ template: 'countdown', end_date: inSeconds(60) }, NOW)
    expect(refusals(() => patchedWidgetContent(countdown, { start_date: inSeconds(60) }, NOW))).toEqual([
      'body.content.start_date',
    ])
    expect(patchedWidgetContent(countdown, { start_date: inSeconds(59) }, NOW)).toHaveProperty('start_date')
  })
})

describe('nextPushAt', () => {
  const widget: Widget = {
    id: 'w1' as WidgetId,
    userId: 'u1' as UserId,
    slug: 'build',
    name: 'Build',
    content: { template: 'value' },
    pushThrottleSeconds: null,
    staleAfterSeconds: null,
    lastPushedAt: null,
    createdAt: NOW,
    updatedAt: NOW,
  }

  test('a widget that was never pushed is pushed now', () => {
    expect(nextPushAt(widget, NOW)).toBe(NOW)
  })

  test("within the throttle window, a push waits until its end: 15 seconds by default, or the widget's own", () => {
    const lastPushedAt = plusSeconds(NOW, -5)
    expect(nextPushAt({ ...widget, lastPushedAt }, NOW)).toBe(plusSeconds(NOW, 10))
    expect(nextPushAt({ ...widget, lastPushedAt, pushThrottleSeconds: 60 }, NOW)).toBe(plusSeconds(NOW, 55))
  })

  test('after the window, a push is sent now', () => {
    const lastPushedAt = plusSeconds(NOW, -15)
    expect(nextPushAt({ ...widget, lastPushedAt }, NOW)).toBe(NOW)
    expect(nextPushAt({ ...widget, lastPushedAt, pushThrottleSeconds: 1 }, NOW)).toBe(NOW)
  })

  test('R06 after the clock was set back, a push is sent now', () => {
    expect(nextPushAt({ ...widget, lastPushedAt: plusSeconds(NOW, 7200) }, NOW)).toBe(NOW)
  })
})

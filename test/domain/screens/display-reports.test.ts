// What a display says of itself when it calls, the lines that it logs, and when it is missed.
import { describe, expect, test } from 'vitest'
import { instant } from '../../../src/domain/instant.ts'
import { isBatteryLow, logLines, missedAt, readReport } from '../../../src/domain/screens/display.ts'

const NOW = instant(1_800_000_000_000)
const report = (headers: Record<string, string>) => readReport(headers, NOW)

describe('a report', () => {
  test('has the battery in volts, the signal, the firmware and the model', () => {
    const headers = { 'battery-voltage': '3.8149', rssi: '-61', 'fw-version': '1.5.2', model: 'og' }
    expect(report(headers)).toEqual({
      calledAt: NOW,
      batteryVolts: 3.81,
      signalDbm: -61,
      firmware: '1.5.2',
      model: 'og',
    })
  })

  test.each([
    { 'battery-voltage': '0', rssi: '0' },
    { 'battery-voltage': '11', rssi: '31' },
    { 'battery-voltage': 'none', rssi: '-151' },
    { 'fw-version': '<b>', model: 'x'.repeat(33) },
  ])('leaves out what cannot be, such as %j', (headers) => {
    expect(Object.values(report(headers as unknown as Record<string, string>))).toEqual([
      NOW,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test.each([
    [3.29, true],
    [3.3, false],
    [undefined, false],
  ])('with %s V says that the battery is low: %s', (batteryVolts, isLow) => {
    expect(isBatteryLow({ calledAt: NOW, batteryVolts })).toBe(isLow)
  })
})

test('a display is missed after three calls: this sleep, and two more', () => {
  expect(missedAt({ everySeconds: 900, night: null }, NOW, 3600)).toBe(NOW + (3600 + 2 * 900) * 1000)
})

test.each([
  ['{"logs":[{"message":"woke"},{"message":"slept"}]}', ['woke', 'slept']],
  ['{"log":{"logs_array":[{"log_message":"woke"}]}}', ['woke']],
  ['{"log":"woke"}', ['woke']],
  ['woke\n\nslept\n', ['woke', 'slept']],
  [`{"logs":["${'x'.repeat(300)}"]}`, ['x'.repeat(200)]],
])('the log %j has the lines %j', (body, lines) => {
  expect(logLines(body)).toEqual(lines)
})

// R07: when a recurrence is due, in every time zone and through every clock change.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromRfc3339, type Instant, instant, toRfc3339 } from '../../src/domain/instant.ts'
import { cronFault, nextMatch } from '../../src/domain/schedules/recurrence.ts'
import { type CronFields, MINUTE_MS, matchesBetween, offsetsOf } from '../support/generated/cron-oracle.ts'
import { isNightly } from '../support/nightly.ts'

function matches(cron: string, timezone: string, from: string, to: string): string[] {
  const found: string[] = []
  const end = fromRfc3339(to)
  let at: Instant | undefined = instant(fromRfc3339(from) - 1)
  while (at !== undefined) {
    at = nextMatch({ cron, timezone }, at)
    if (at === undefined || at >= end) break
    found.push(toRfc3339(at).replace(':00.000Z', 'Z'))
  }
  return found
}

describe('R07 the table of the specification', () => {
  const [NEW_YORK, CAIRO, LORD_HOWE] = ['America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe']

  test('a fixed time in a gap is sent at the first instant after it', () => {
    expect(matches('30 2 * * *', NEW_YORK, '2027-03-14T00:00:00Z', '2027-03-15T00:00:00Z')).toEqual([
      '2027-03-14T07:00Z',
    ])
    expect(matches('0 0 * * *', CAIRO, '2027-04-29T12:00:00Z', '2027-04-30T12:00:00Z')).toEqual(['2027-04-29T22:00Z'])
    expect(matches('15 2 * * *', LORD_HOWE, '2027-10-02T12:00:00Z', '2027-10-03T12:00:00Z')).toEqual([
      '2027-10-02T15:30Z',
    ])
  })

  test('a fixed time that occurs twice is sent once, the first time', () => {
    expect(matches('30 1 * * *', NEW_YORK, '2027-11-07T00:00:00Z', '2027-11-08T00:00:00Z')).toEqual([
      '2027-11-07T05:30Z',
    ])
    expect(matches('45 1 * * *', LORD_HOWE, '2027-04-03T12:00:00Z', '2027-04-04T12:00:00Z')).toEqual([
      '2027-04-03T14:45Z',
    ])
  })

  test('asked while the clock shows a time again, it is the one of the next day', () => {
    const again = fromRfc3339('2027-11-07T06:10:00Z')
    const next = nextMatch({ cron: '30 1 * * *', timezone: NEW_YORK }, again)
    expect(next && toRfc3339(next)).toBe('2027-11-08T06:30:00.000Z')
  })

  test('patterns that repeat within the hour follow real time', () => {
    expect(matches('*/30 * * * *', NEW_YORK, '2027-11-07T05:30:00Z', '2027-11-07T07:30:00Z')).toEqual([
      '2027-11-07T05:30Z',
      '2027-11-07T06:00Z',
      '2027-11-07T06:30Z',
      '2027-11-07T07:00Z',
    ])
  })

  test.each(['2027-03-14', '2027-11-07'])('an hourly cron has no gap on %s', (day) => {
    const hours = matches('0 * * * *', NEW_YORK, `${day}T00:00:00Z`, `${day}T23:59:00Z`)
    expect(hours).toEqual(Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00Z`))
  })

  test('with both a day of the month and a weekday, either is enough', () => {
    expect(matches('0 9 1 * 1', 'UTC', '2027-05-01T00:00:00Z', '2027-05-12T00:00:00Z')).toEqual([
      '2027-05-01T09:00Z',
      '2027-05-03T09:00Z',
      '2027-05-10T09:00Z',
    ])
  })

  test('the 31st skips short months', () => {
    expect(matches('0 0 31 * *', 'UTC', '2027-01-01T00:00:00Z', '2027-06-01T00:00:00Z')).toEqual([
      '2027-01-31T00:00Z',
      '2027-03-31T00:00Z',
      '2027-05-31T00:00Z',
    ])
  })
})

describe('beyond the table of the specification', () => {
  test('several fixed times: one in a gap is not lost, one that occurs twice is not repeated', () => {
    const zone = 'Europe/Berlin'
    expect(matches('30 2,14 * * *', zone, '2027-03-28T00:00:00Z', '2027-03-29T00:00:00Z')).toEqual([
      '2027-03-28T01:00Z',
      '2027-03-28T12:30Z',
    ])
    expect(matches('30 2,14 * * *', zone, '2027-10-31T00:00:00Z', '2027-11-01T00:00:00Z')).toEqual([
      '2027-10-31T00:30Z',
      '2027-10-31T13:30Z',
    ])
  })

  test('a time in a gap over midnight is not lost', () => {
    expect(matches('30 23 * * *', 'America/Nuuk', '2027-03-27T12:00:00Z', '2027-03-29T12:00:00Z')).toEqual([
      '2027-03-28T01:00Z',
      '2027-03-29T00:30Z',
    ])
  })

  test('two times that fall on the same instant are sent once', () => {
    expect(matches('0 2,3 * * *', 'Europe/Berlin', '2027-03-28T00:00:00Z', '2027-03-29T00:00:00Z')).toEqual([
      '2027-03-28T01:00Z',
    ])
  })

  test('29 February is found in the next leap year, also eight years ahead', () => {
    expect(
      toRfc3339(nextMatch({ cron: '0 0 29 2 *', timezone: 'UTC' }, fromRfc3339('2097-01-01T00:00:00Z')) as Instant),
    ).toBe('2104-02-29T00:00:00.000Z')
  })

  test('names, ranges, steps, Sunday as 0 or 7, and aliases of time zones are accepted', () => {
    const week = (cron: string, zone = 'UTC') => matches(cron, zone, '2027-05-03T00:00:00Z', '2027-05-10T00:00:00Z')
    expect(week('0 9 * may mon-wed')).toEqual(['2027-05-03T09:00Z', '2027-05-04T09:00Z', '2027-05-05T09:00Z'])
    expect(week('0 0 * * 7')).toEqual(week('@weekly'))
    expect(week('0 0-23/8 1-5/2 * *')).toHaveLength(6)
    expect(week('0 9 * * 1', 'US/Eastern')).toEqual(week('0 9 * * 1', 'america/new_york'))
  })
})

describe('sends at least 15 minutes apart', () => {
  test.each([
    '*/15 * * * *',
    '0,15,30,45 * * * *',
    '50 23 * * *',
    '0,45 0,23 * * *',
    '5,55 0,23 1 * *',
    '0,50 9,11 * * *',
  ])('%s is accepted', (cron) => expect(cronFault(cron)).toBeUndefined())

  test.each([
    ['*/14 * * * *', '00:00', '00:14'],
    ['0,50 * * * *', '00:50', '01:00'],
    ['55,5 0,23 28,29,1 2,3 *', '23:55', '00:05'],
    ['0-59/20,10 * * * *', '00:00', '00:10'],
  ])('%s is refused if two sends are closer', (cron, first, second) => {
    expect(cronFault(cron)).toContain(`would send at ${first} and again at ${second}`)
  })
})

const ZONES = `UTC America/New_York America/Los_Angeles America/St_Johns America/Halifax America/Havana America/Santiago
  America/Asuncion America/Sao_Paulo America/Nuuk America/Scoresbysund America/Mexico_City Atlantic/Azores Europe/London
  Europe/Dublin Europe/Berlin Europe/Helsinki Europe/Chisinau Europe/Moscow Africa/Cairo Africa/Casablanca Africa/Lagos
  Asia/Jerusalem Asia/Beirut Asia/Gaza Asia/Tehran Asia/Kolkata Asia/Kathmandu Asia/Tokyo Australia/Lord_Howe
  Australia/Sydney Australia/Adelaide Australia/Eucla Pacific/Chatham Pacific/Auckland Pacific/Kiritimati
  Pacific/Marquesas Pacific/Norfolk Pacific/Easter Antarctica/Troll`.split(/\s+/)

type Field = { text: string; values: number[] }

function field(first: number, last: number): fc.Arbitrary<Field> {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const value = fc.integer({ min: first, max: last })
  const step = fc.integer({ min: 1, max: Math.min(12, last) })
  const range = fc.tuple(value, value, step).map(([a, b, by]) => {
    const [from, to] = [Math.min(a, b), Math.max(a, b)]
    return { text: `${from}-${to}/${by}`, values: all.filter((n) => n >= from && n <= to && (n - from) % by === 0) }
  })
  return fc.oneof(
    fc.constant({ text: '*', values: all }),
    value.map((n) => ({ text: String(n), values: [n] })),
    step.map((by) => ({ text: `*/${by}`, values: all.filter((_, index) => index % by === 0) })),
    range,
    fc.array(value, { minLength: 2, maxLength: 4 }).map((some) => ({
      text: some.join(','),
      values: all.filter((n) => some.includes(n)),
    })),
  )
}

const anyCron: fc.Arbitrary<CronFields> = fc
  .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6))
  .map(([minute, hour, day, month, weekday]) => ({
    text: [minute, hour, day, month, weekday].map(({ text }) => text).join(' '),
    minute: minute.values,
    hour: hour.values,
    day: day.values,
    month: month.values,
    weekday: weekday.values,
  }))

// `HELIOGRAPH_RUNS=20000 npx vitest run test/domain/recurrence.test.ts` takes about seven minutes.
const RUNS = Number(process.env.HELIOGRAPH_RUNS ?? (isNightly ? 1000 : 200))
const WINDOW_MS = 60 * 3_600_000
const COMPARED = 60
const TWO_YEARS = { min: Date.UTC(2027, 0, 1) / MINUTE_MS, max: Date.UTC(2029, 0, 1) / MINUTE_MS }

test(`R07 ${RUNS} random crons in 40 zones over two years match a brute-force oracle`, () => {
  expect(ZONES).toHaveLength(40)
  fc.assert(
    fc.property(anyCron, fc.constantFrom(...ZONES), fc.integer(TWO_YEARS), fc.nat(), (cron, timezone, minute, pick) => {
      // Two of three windows are around a clock change, where errors are likely.
      const { changes } = offsetsOf(timezone)
      const middle =
        pick % 3 > 0 && changes.length > 0 ? (changes[pick % changes.length] as number) : minute * MINUTE_MS
      const from = middle - WINDOW_MS / 2
      const expected = matchesBetween(cron, timezone, from, from + WINDOW_MS).slice(0, COMPARED)
      const found: number[] = []
      let at: Instant | undefined = instant(from - 1)
      while (found.length < COMPARED && at !== undefined) {
        at = nextMatch({ cron: cron.text, timezone }, at)
        if (at === undefined || at >= from + WINDOW_MS) break
        found.push(at)
      }
      expect(found.map((ms) => new Date(ms).toISOString())).toEqual(expected.map((ms) => new Date(ms).toISOString()))
    }),
    { numRuns: RUNS },
  )
}, 3_600_000)

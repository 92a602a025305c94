// Which parameters a push to the Bark app gives up when it is too large: what the phone can do without first, the opening of the text
// and what makes it ring last.
import { expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import type { BarkParameters } from '../../src/domain/doors/bark/parameters.ts'
import { barkPayload, fittedForBark } from '../../src/push/payload/bark.ts'
import { jsonBytes } from '../../src/push/payload/fit.ts'

const fitted = (parameters: BarkParameters) => {
  const sent = fittedForBark(parameters, undefined)
  expect(jsonBytes(barkPayload(sent))).toBeLessThanOrEqual(LIMITS.push.maxPayloadBytes)
  return sent
}
const left = (parameters: BarkParameters) => Object.keys(fitted(parameters)).sort()

const SMALL = { title: 'T', body: 'B', id: 'job-1', level: 'critical', volume: '5', sound: 'alarm', call: '1' }

test('a push that fits goes out as it is', () => {
  const whole = { ...SMALL, subtitle: 'S', url: 'https://x.example', copy: 'c', body: 'b'.repeat(3000) }
  expect(fitted(whole)).toEqual(whole)
})

test('Markdown goes first, then what only some phones use, then the subtitle, and a link before what makes it ring', () => {
  const large = 'x'.repeat(2100)
  const all = { ...SMALL, markdown: large, copy: large, subtitle: large, url: `https://x.example/${large}` }
  expect(left({ ...all, markdown: large.repeat(2), copy: 'c', subtitle: 'S', url: 'https://x.example' })).toEqual(
    [...Object.keys(SMALL), 'copy', 'subtitle', 'url'].sort(),
  )
  expect(left({ ...all, url: 'https://x.example' })).toEqual([...Object.keys(SMALL), 'subtitle', 'url'].sort())
  expect(left({ ...all, subtitle: large.repeat(2), url: 'https://x.example' })).toEqual(
    [...Object.keys(SMALL), 'url'].sort(),
  )
  expect(left({ ...all, url: `https://x.example/${large.repeat(3)}` })).toEqual(Object.keys(SMALL).sort())
})

test('a long body is cut, and keeps its opening beside what is left', () => {
  const { body = '', title, ...others } = fitted({ ...SMALL, body: 'b'.repeat(5000), title: 't'.repeat(1000) })
  expect(body).toMatch(/^b{3000,}…$/)
  expect([title?.length, others]).toEqual([
    400,
    { id: 'job-1', level: 'critical', volume: '5', sound: 'alarm', call: '1' },
  ])
  const withCopy = fitted({ ...SMALL, body: 'b'.repeat(5000), copy: 'c'.repeat(3000) })
  expect([withCopy.copy?.length, (withCopy.body ?? '').length]).toEqual([
    3000,
    expect.toSatisfy((n: number) => n > 100),
  ])
})

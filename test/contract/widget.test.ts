// What the schemas of POST and PATCH /widgets accept.
import { expect, test } from 'vitest'
import { type Check, compileCheck } from '../../src/contract/validation.ts'
import { WidgetInput, WidgetPatch } from '../../src/contract/widgets.ts'

const locations = (check: Check, body: unknown) => check(body).map((violation) => violation.location)
const checkInput = compileCheck(WidgetInput, 'body')
const checkPatch = compileCheck(WidgetPatch, 'body')
const least = { slug: 'build', name: 'Build', content: { template: 'value' } }

test.each<[string, object, object, string]>([
  ['slug', { slug: 'a'.repeat(128) }, { slug: 'a'.repeat(129) }, 'slug'],
  ['slug starts alphanumeric', { slug: '0_-' }, { slug: '-a' }, 'slug'],
  ['name', { name: '😀'.repeat(256) }, { name: '😀'.repeat(257) }, 'name'],
  ['name is not empty', { name: 'x' }, { name: '' }, 'name'],
  ['name is required', {}, { name: null }, 'name'],
  ['content is required', {}, { content: undefined }, 'content'],
  ['content is an object', {}, { content: ['x'] }, 'content'],
  ['template is required', {}, { content: { template: null } }, 'content.template'],
  ['push_throttle from 1', { push_throttle: 1 }, { push_throttle: 0 }, 'push_throttle'],
  ['push_throttle to 3600', { push_throttle: 3600 }, { push_throttle: 3601 }, 'push_throttle'],
  ['push_throttle is whole', { push_throttle: null }, { push_throttle: 1.5 }, 'push_throttle'],
  ['stale_after from 60', { stale_after: 60 }, { stale_after: 59 }, 'stale_after'],
  ['stale_after to 604800', { stale_after: 604_800 }, { stale_after: 604_801 }, 'stale_after'],
  ['stale_after is a number', { stale_after: null }, { stale_after: '60' }, 'stale_after'],
  ['no other member', {}, { id: 'x' }, 'id'],
])('POST: %s', (_rule, accepted, refused, location) => {
  expect(locations(checkInput, { ...least, ...accepted })).toEqual([])
  expect(locations(checkInput, withoutUndefined({ ...least, ...refused }))).toEqual([`body.${location}`])
})

test('POST accepts null and "" for unset members of content, and reports one violation per mistake', () => {
  const content = {
    template: 'value',
    value: null,
    severity: '',
    trend: null,
    devices: [{ name: 'x', level: 1, icon: null }],
    tap_action: { url: 'https://x.y', headers: { A: null }, method: 'pOsT' },
  }
  expect(checkInput({ ...least, content })).toEqual([])
  const wrong = { template: 'x', severity: 'y', method: 1, devices: [{ name: 'x', level: null }], tap_action: 1 }
  expect(locations(checkInput, { ...least, content: wrong }).sort()).toEqual([
    'body.content.devices[0].level',
    'body.content.method',
    'body.content.severity',
    'body.content.tap_action',
    'body.content.template',
  ])
})

test('PATCH accepts any part, null where a member can be cleared, and partial objects', () => {
  expect(checkPatch({})).toEqual([])
  expect(checkPatch({ content: {} })).toEqual([])
  expect(checkPatch({ push_throttle: null, stale_after: null })).toEqual([])
  expect(checkPatch({ content: { value: null, flow: { output: { rate: null } } } })).toEqual([])
  expect(checkPatch({ content: { tap_action: { title: 'x', headers: { A: null } }, subtitle_timer: {} } })).toEqual([])
})

test.each<[object, string]>([
  [{ slug: 'other' }, 'slug'],
  [{ name: null }, 'name'],
  [{ content: null }, 'content'],
  [{ content: { template: 'bogus' } }, 'content.template'],
  [{ content: { unknown: 1 } }, 'content.unknown'],
  [{ content: { devices: [{ level: 1 }] } }, 'content.devices[0].name'],
  [{ content: { flow: { output: { total: -1 } } } }, 'content.flow.output.total'],
  [{ content: { value: Number.POSITIVE_INFINITY } }, 'content.value'],
  [{ stale_after: 1 }, 'stale_after'],
])('PATCH refuses %j', (patch, location) => {
  expect(locations(checkPatch, patch)).toEqual([`body.${location}`])
})

const withoutUndefined = (body: object) => JSON.parse(JSON.stringify(body))

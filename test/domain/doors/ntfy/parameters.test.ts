// The parameters of messages for ntfy, under each of their names.
import { describe, expect, test } from 'vitest'
import { readParameters, readPriority, readTags } from '../../../../src/domain/doors/ntfy/parameters.ts'

const NAMES: Record<string, string> = {
  message: 'x-message message m',
  title: 'x-title title ti t',
  priority: 'x-priority priority prio p',
  tags: 'x-tags tags tag ta',
  delay: 'x-delay delay x-at at x-in in',
  actions: 'x-actions actions action',
  click: 'x-click click',
  icon: 'x-icon icon',
  attach: 'x-attach attach a',
  filename: 'x-filename filename file f',
  markdown: 'x-markdown markdown md',
  email: 'x-email x-e-mail email e-mail mail e',
  call: 'x-call call',
  cache: 'x-cache cache',
  unifiedPush: 'x-unifiedpush unifiedpush up',
  pollId: 'x-poll-id poll-id',
  sequence: 'x-sequence-id sequence-id sid',
  template: 'x-template template tpl',
}

const read = (headers: [string, string][], query = '', json = {}) =>
  readParameters({ headers: new Map(headers), query: new URLSearchParams(query), json }) as Record<string, string>

describe.each(Object.entries(NAMES))('%s', (parameter, names) => {
  test.each(names.split(' '))('by the name %s, as a header and in the query', (name) => {
    expect(read([[name, ' v ']])[parameter]).toBe('v')
    expect(read([], `${name}=v`)[parameter]).toBe('v')
  })

  test('the first name wins, headers come before the query, and a JSON body before both', () => {
    const all = names.split(' ')
    const headers = all.map((name): [string, string] => [name, `header ${name}`])
    const query = all.map((name) => `${name}=query`).join('&')
    expect(read(headers.reverse(), query)[parameter]).toBe(`header ${all[0]}`)
    expect(read([], query)[parameter]).toBe('query')
    expect(read(headers, query, { [parameter]: 'json' })[parameter]).toBe('json')
    expect(read([[all[0] as string, ' ']], query)[parameter]).toBe('query')
  })
})

test('names in the query are in lower case', () => {
  expect(read([], 'Title=v')).not.toHaveProperty('title')
})

test.each(['u=1', 'u=1, i', 'u=1,2'])('the header Priority: %s of HTTP is ignored, X-Priority is not', (value) => {
  expect(read([['priority', value]])).not.toHaveProperty('priority')
  expect(read([['x-priority', value]]).priority).toBe(value)
})

test.each([
  ['1', 1],
  ['min', 1],
  ['2', 2],
  ['LOW', 2],
  ['3', 3],
  ['default', 3],
  ['4', 4],
  ['High', 4],
  ['5', 5],
  ['max', 5],
  ['urgent', 5],
  [undefined, undefined],
])('the priority %s is %s', (text, priority) => {
  expect(readPriority(text)).toBe(priority)
})

test.each(['0', '6', '-1', 'important', '1.5'])('the priority %s is refused', (text) => {
  expect(() => readPriority(text)).toThrow('invalid priority parameter')
})

test('tags are separated by commas', () => {
  expect(readTags(' a , b,,c ')).toEqual(['a', 'b', 'c'])
  expect(readTags(' , ')).toBeUndefined()
})

// An unknown member is refused with the name that was probably meant.
import { expect, test } from 'vitest'
import { NotificationInput } from '../../src/contract/notifications/notification.ts'
import { compileCheck, inOneSentence } from '../../src/contract/validation.ts'

const check = compileCheck(NotificationInput, 'body')

test.each([
  ['message', 'body'],
  ['threadId', 'thread_id'],
  ['Title', 'title'],
  ['action', 'actions'],
  ['priority', 'level'],
])('%s: did you mean %s?', (name, likely) => {
  const [violation] = check({ title: 'T', body: 'B', [name]: 'x' })
  expect(violation).toEqual({
    location: `body.${name}`,
    message: `is not a member this endpoint knows; did you mean ${likely}?`,
  })
})

test('nothing is suggested for a name that resembles none', () => {
  const violations = check({ title: 'T', body: 'B', constructor2: 'x' })
  expect(inOneSentence(violations)).toBe('body.constructor2 is not a member this endpoint knows.')
  expect(inOneSentence(check({ title: 'T', body: 'B', msg: 'x' }))).toMatch(/; did you mean body\?$/)
})

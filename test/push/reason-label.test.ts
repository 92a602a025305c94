// The reasons of pushes as labels of metrics: few values, whatever a push service answers.
import { expect, test } from 'vitest'
import type { PushResult } from '../../src/domain/push.ts'
import { reasonLabel } from '../../src/push/reason-label.ts'

const rejected = (reason: string): PushResult => ({ result: 'rejected', reason })

test.each([
  [{ result: 'accepted' } as const, ''],
  [rejected('BadTopic'), 'BadTopic'],
  [rejected('status_418'), 'status_418'],
  [rejected('push service answered 403'), 'status_403'],
  [{ result: 'try_later', reason: 'timeout' } as const, 'timeout'],
  [{ result: 'try_later', reason: 'push service: no answer in time' } as const, 'no_answer_in_time'],
])('%j has the label "%s"', (pushed, label) => {
  expect(reasonLabel(pushed)).toBe(label)
})

test.each(['InventedReason', 'status_799', 'push service answered 999', 'push service: x', 'toString'])(
  '"%s", which a push service has made up, is "other"',
  (reason) => {
    expect(reasonLabel(rejected(reason))).toBe('other')
  },
)

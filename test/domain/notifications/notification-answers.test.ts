// Which actions of a notification can be answered, which answers are accepted, and how delivery is reported.
import { describe, expect, test } from 'vitest'
import type { AnswerInput } from '../../../src/contract/answers.ts'
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import { Problem } from '../../../src/contract/problems.ts'
import { checkAnswer, isAnswerable } from '../../../src/domain/answers/answer.ts'
import { isRecordable } from '../../../src/domain/notifications/acknowledge.ts'
import { deliveryOf, type PushOutcome } from '../../../src/domain/notifications/delivery.ts'

describe('answers', () => {
  const silent: NotificationAction = { id: 'silent', title: 'Silent' }
  const typed: NotificationAction = { id: 'typed', title: 'Typed', text_input: true }
  const opening: NotificationAction = { id: 'opening', title: 'Opening', foreground: true }
  const calling: NotificationAction = { id: 'calling', title: 'Calling', url: 'https://example.com' }
  const all = [silent, typed, opening, calling]

  function refusal(input: AnswerInput): { code: string; status: number; locations: string[] } | undefined {
    try {
      checkAnswer(all, input)
      return undefined
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const locations = (error.members.errors ?? []).map((violation) => violation.location)
      return { code: error.code, status: error.status, locations }
    }
  }

  test('are recorded for actions with neither url nor foreground', () => {
    expect(all.filter(isRecordable)).toEqual([silent, typed])
    expect(isRecordable({ ...silent, foreground: false })).toBe(true)
  })

  test('are possible when at least one action has no url', () => {
    expect(isAnswerable({ actions: [calling, silent] })).toBe(true)
    expect(isAnswerable({ actions: [opening] })).toBe(true)
    expect(isAnswerable({ actions: [calling] })).toBe(false)
    expect(isAnswerable({})).toBe(false)
  })

  test.each<[string, AnswerInput]>([
    ['a button', { action_id: 'silent' }],
    ['a button, with an empty text', { action_id: 'silent', text: '' }],
    ['typed text', { action_id: 'typed', text: 'Yes' }],
    ['a text field left empty', { action_id: 'typed' }],
    ['an action that opens the app', { action_id: 'opening', device_id: 'phone' }],
  ])('accept %s', (_what, input) => {
    expect(refusal(input)).toBeUndefined()
  })

  test.each(['calling', 'unknown', 'SILENT'])('refuse the action %s', (action_id) => {
    expect(refusal({ action_id })).toEqual({
      code: 'notification_answer.action_unknown',
      status: 422,
      locations: ['body.action_id'],
    })
  })

  test('refuse text for an action without text input', () => {
    expect(refusal({ action_id: 'silent', text: 'x' })).toEqual({
      code: 'request.validation_failed',
      status: 422,
      locations: ['body.text'],
    })
  })
})

describe('delivery', () => {
  test.each<[PushOutcome[], boolean, object]>([
    [['accepted'], true, { delivery: 'all' }],
    [['accepted', 'accepted'], true, { delivery: 'all' }],
    [['accepted', 'refused'], true, { delivery: 'partial', reason: 'apns_rejected' }],
    [['open', 'accepted'], true, { delivery: 'partial', reason: 'apns_rejected' }],
    [['refused', 'refused'], true, { delivery: 'none', reason: 'apns_rejected' }],
    [['open'], true, { delivery: 'none', reason: 'apns_rejected' }],
    [[], true, { delivery: 'none', reason: 'no_apns_token' }],
    [[], false, { delivery: 'none', reason: 'push_disabled' }],
  ])('%j with push %j is %j', (outcomes, push, delivery) => {
    expect(deliveryOf(outcomes, push)).toStrictEqual(delivery)
  })
})

// Properties of any input that matches the schema of a notification.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NotificationInput } from '../../../src/contract/notifications/notification.ts'
import { Problem } from '../../../src/contract/problems.ts'
import { compileCheck } from '../../../src/contract/validation.ts'
import { draftNotification } from '../../../src/domain/notifications/draft.ts'
import type { NotificationDraft } from '../../../src/domain/notifications/notification.ts'

const checkShape = compileCheck(NotificationInput, 'body')
const ENVELOPE = `pw1.0123abcd.${'A'.repeat(40)}`

const text = fc.constantFrom('', 'x', ' ', 'https://example.com', 'app://x', 'javascript:x', ENVELOPE)
const action = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'pw_ack'),
    title: fc.constant('A'),
    url: text,
    method: fc.constantFrom('get', 'PUT'),
    body: text,
    foreground: fc.boolean(),
    text_input: fc.boolean(),
    text_input_placeholder: fc.constantFrom('', 'x'),
  },
  { requiredKeys: ['id', 'title'] },
)
const input: fc.Arbitrary<NotificationInput> = fc.record(
  {
    title: text,
    body: text,
    subtitle: text,
    thread_id: text,
    source: text,
    url: text,
    icon_url: text,
    encrypted: text,
    callback_url: text,
    actions: fc.option(fc.array(action, { maxLength: 3 })),
  },
  { requiredKeys: [] },
)

function drafted(sent: NotificationInput): NotificationDraft | Problem {
  try {
    return draftNotification(sent)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

test('any input is drafted, or refused with locations', () => {
  fc.assert(
    fc.property(input, (sent) => {
      expect(checkShape(sent)).toEqual([])
      const draft = drafted(sent)
      if (!(draft instanceof Problem)) return
      expect(['notification.invalid', 'request.validation_failed']).toContain(draft.code)
      expect(draft.members.errors).not.toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a draft has a title and a body, and no empty text', () => {
  const acceptable = input.map((sent) => ({ ...sent, url: '', icon_url: '', callback_url: '', actions: null }))
  fc.assert(
    fc.property(acceptable, fc.constantFrom('plain', 'sealed'), (sent, kind) => {
      const sealed = { ...sent, title: '', body: '', subtitle: '', encrypted: ENVELOPE }
      const plain = { ...sent, title: 'x', body: 'y', encrypted: '' }
      const draft = draftNotification(kind === 'sealed' ? sealed : plain)
      expect(draft.title).not.toBe('')
      expect(draft.body).not.toBe('')
      expect(JSON.stringify(draft)).not.toContain(':""')
    }),
  )
})

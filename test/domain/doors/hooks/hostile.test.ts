// Documents with members of the right names and wrong types: every kind makes a notification of them that our rules accept.
import { describe, expect, test } from 'vitest'
import { HOOK_KINDS } from '../../../../src/contract/doors/hook.ts'
import { Problem } from '../../../../src/contract/problems.ts'
import { type ReadableKind, readReport } from '../../../../src/domain/doors/hooks/kinds.ts'
import type { HookMessage } from '../../../../src/domain/doors/hooks/message.ts'
import { toNotification } from '../../../../src/domain/doors/hooks/notification.ts'
import { draftNotification } from '../../../../src/domain/notifications/draft.ts'
import { HOOK, read } from '../../../support/hooks/reading.ts'

const NAMES =
  `version groupKey alerts status labels annotations commonLabels groupLabels title message orgId state heartbeat
  monitor msg embeds content attachments blocks text eventType instanceName series episodes release object_kind
  object_attributes project commits action repository pull_request workflow_run issue type body name uuid tags url color
  fields elements check_suite builds conclusion head_branch`.split(/\s+/)

const WRONG: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x',
  [],
  [null],
  [[]],
  {},
  { text: {} },
  [{ labels: [], fields: 'x' }],
]

const documents = WRONG.flatMap((wrong) => {
  const document = Object.fromEntries(NAMES.map((name) => [name, wrong]))
  const lists = Object.fromEntries(
    ['alerts', 'embeds', 'attachments', 'blocks'].map((name) => [name, [document, wrong]]),
  )
  const strings = { ...document, object_kind: 'pipeline', eventType: 'Health', status: 'x', uuid: 'y', msg: 'z' }
  return [wrong, document, { ...document, ...lists }, strings]
})

const KINDS = HOOK_KINDS.filter((kind): kind is ReadableKind => kind !== 'auto' && kind !== 'template')

describe.each(KINDS)('%s', (kind) => {
  test.each(['ping', 'push', 'workflow_run', 'check_suite', 'pull_request', 'issues', 'release', 'other'])(
    'event %s',
    async (event) => {
      for (const document of documents) {
        const message = readOrRefuse(kind, await read(document, { 'x-github-event': event }))
        if (message) expect(draftNotification(toNotification(HOOK, kind, message)).title).not.toBe('')
      }
    },
  )
})

// Only the kind slack refuses.
function readOrRefuse(kind: ReadableKind, document: Awaited<ReturnType<typeof read>>) {
  try {
    const report = readReport(kind, document, { as: 'activity' })
    return 'dropped' in report ? undefined : report
  } catch (error) {
    expect([kind, error]).toEqual(['slack', expect.any(Problem)])
    return undefined
  }
}

test('control characters other than tabs and line breaks are left out of a body', async () => {
  const report = readReport(
    'generic',
    await read({ message: 'one\u0001\u001b\r\n\ttwo\u007f\u0085\u009f\u00a0three' }),
    {},
  )
  expect(report).toHaveProperty('body')
  expect(toNotification(HOOK, 'generic', report as HookMessage).body).toBe('one\n\ttwo\u00a0three')
})

// Documents with members of the right names and wrong types: every kind makes a notification of them that our rules accept.
import { describe, expect, test } from 'vitest'
import { HOOK_KINDS } from '../../../../src/contract/hooks.ts'
import { NOTIFICATION_LEVELS } from '../../../../src/contract/notifications/notification.ts'
import { Problem } from '../../../../src/contract/problems.ts'
import { type ReadableKind, readRecognized, readReport } from '../../../../src/domain/hooks/kinds.ts'
import type { HookDocument, HookMessage } from '../../../../src/domain/hooks/message.ts'
import { toNotification } from '../../../../src/domain/hooks/notification.ts'
import { draftNotification } from '../../../../src/domain/notifications/draft.ts'
import { HOOK, read } from '../../../support/hooks/reading.ts'
import { isNightly } from '../../../support/nightly.ts'

const NAMES =
  `version groupKey alerts status labels annotations commonLabels groupLabels title message orgId state heartbeat
  monitor msg embeds content attachments blocks text eventType instanceName series episodes release object_kind
  object_attributes project commits action repository pull_request workflow_run issue type body name uuid tags url color
  fields elements check_suite builds conclusion head_branch endpoint_name event app data target level resolved ts severity
  hostname NotificationType ServerName ItemId SeriesName ResultStatus TaskName notification_type media request comment extra
  doc_url filename diff_url sections facts themeColor items columns inlines @type run sender error plan repo`.split(
    /\s+/,
  )

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

const EVENTS = ['ping', 'push', 'workflow_run', 'check_suite', 'pull_request', 'issues', 'release', 'other']
// Two kinds read the header with the event; at night all kinds get all events.
const eventsFor = (kind: ReadableKind) => (['github', 'gitea'].includes(kind) || isNightly ? EVENTS : ['other'])

describe.each(KINDS)('%s', (kind) => {
  test.each(eventsFor(kind))('event %s', async (event) => {
    for (const document of documents) {
      const message = readOrRefuse(kind, await read(document, { 'x-github-event': event }))
      if (message) expect(draftNotification(toNotification(HOOK, kind, message)).title).not.toBe('')
    }
  })
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

// Words that every object of JavaScript answers to.
const OBJECT_WORDS = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']

function documentsWith(word: string): Promise<HookDocument[]> {
  const everywhere = Object.fromEntries(NAMES.map((name) => [name, word]))
  const headers: Record<string, string>[] = [
    { 'x-github-event': word, 'x-gitea-event': word, 'x-gitlab-event': word },
    { 'x-github-event': 'workflow_run' },
    { 'x-github-event': 'pull_request' },
    {},
  ]
  const bodies = [
    everywhere,
    ...NAMES.map((name) => ({ title: 't', body: 'b', text: 't', eventType: 'x', uuid: 'y', msg: 'z', [name]: word })),
    { heartbeat: { status: word }, monitor: { tags: [{ name: word }] }, msg: 'm' },
    { attachments: [{ color: word, text: 't' }], embeds: [{ color: word, title: 't' }], text: `:${word}: *t*` },
    { alerts: [{ labels: { [word]: 'x', severity: word } }], commonLabels: { severity: word } },
    {
      action: word,
      issue: {},
      pull_request: {},
      workflow_run: { conclusion: word },
      object_attributes: { action: word },
    },
    { action: 'completed', workflow_run: { conclusion: word }, repository: { full_name: 'a/b' } },
  ]
  return Promise.all(bodies.flatMap((body) => headers.map((sent) => read(body, sent))))
}

describe.each(OBJECT_WORDS)('%s, a word of the language, is a word of the sender', async (word) => {
  const documents = await documentsWith(word)

  test.each(KINDS)('for %s', (kind) => {
    const messages = documents.flatMap((document) => readOrRefuse(kind, document) ?? [])
    expectKnown(messages.map((message) => toNotification(HOOK, kind, message).level))
  })

  test('for the kind that is recognized', () => {
    const reports = documents.map((document) => readRecognized(document, {}).report)
    expectKnown(reports.flatMap((report) => ('dropped' in report ? [] : [report.level])))
  })
})

const expectKnown = (levels: unknown[]) =>
  expect(NOTIFICATION_LEVELS).toEqual(expect.arrayContaining([...new Set(levels)]))

test('control characters other than tabs and line breaks are left out of a body', async () => {
  const report = readReport(
    'generic',
    await read({ message: 'one\u0001\u001b\r\n\ttwo\u007f\u0085\u009f\u00a0three' }),
    {},
  )
  expect(report).toHaveProperty('body')
  expect(toNotification(HOOK, 'generic', report as HookMessage).body).toBe('one\n\ttwo\u00a0three')
})

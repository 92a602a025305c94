// Collapse ids, options of hooks, and documents of any program.
import { describe, expect, test } from 'vitest'
import { HOOK_KINDS } from '../../../../src/contract/hooks.ts'
import { readDocument } from '../../../../src/domain/hooks/document.ts'
import type { Hook } from '../../../../src/domain/hooks/hook.ts'
import { type ReadableKind, readRecognized, readReport } from '../../../../src/domain/hooks/kinds.ts'
import { toNotification } from '../../../../src/domain/hooks/notification.ts'
import { ALERTMANAGER, GRAFANA } from '../../../support/hooks/alerts.ts'
import { APPRISE, DISCORD, SLACK } from '../../../support/hooks/chats.ts'
import { GITHUB, GITLAB } from '../../../support/hooks/code.ts'
import { HEALTHCHECKS, KUMA, SERVARR } from '../../../support/hooks/monitors.ts'
import { become, HOOK, read, type Sample } from '../../../support/hooks/reading.ts'

const [amFiring, amResolved] = [{ body: ALERTMANAGER.firing }, { body: ALERTMANAGER.resolved }]

describe('one thing has one collapse id', () => {
  const collapseId = async (sample: Sample) => ((await become(sample)) as { collapse_id?: string }).collapse_id

  test.each<[string, Sample, Sample]>([
    ['an alert of Alertmanager', amFiring, amResolved],
    ['an alert of Grafana', { body: GRAFANA.firing }, { body: GRAFANA.resolved }],
    ['a workflow on a branch', GITHUB.runFailed, GITHUB.runSucceeded],
    ['a pull request', GITHUB.pullOpened, GITHUB.pullMerged],
    ['a pipeline on a branch', GITLAB.pipelineFailed, GITLAB.pipelineSucceeded],
    ['a monitor', { body: KUMA.down }, { body: KUMA.up }],
    ['a check', { body: HEALTHCHECKS.down }, { body: HEALTHCHECKS.up }],
    ['a health issue', { body: SERVARR.health }, { body: SERVARR.restored }],
  ])('%s', async (_, first, second) => {
    const id = await collapseId(first)
    expect(id).toMatch(/^[\w-]{1,64}$/)
    expect(await collapseId(second)).toBe(id)
  })

  test('messages without an identity have none', async () => {
    for (const body of [SLACK.text, DISCORD.content, APPRISE.api]) expect(await collapseId({ body })).toBeUndefined()
  })
})

describe('options', () => {
  const levelWith = async (level: Hook['options']['level'], body: unknown) =>
    ((await become({ body }, { level })) as { level: string }).level

  test('level raises to a floor, except the end of an alert', async () => {
    expect(await levelWith('critical', KUMA.maintenance)).toBe('critical')
    expect(await levelWith('active', KUMA.down)).toBe('time-sensitive')
    expect(await levelWith('critical', KUMA.up)).toBe('passive')
  })

  test('level maps severities of the sender, whatever their case', async () => {
    expect(await levelWith({ Critical: 'active' }, ALERTMANAGER.firing)).toBe('active')
    expect(await levelWith({ down: 'critical' }, KUMA.down)).toBe('critical')
    expect(await levelWith({ other: 'critical' }, KUMA.down)).toBe('time-sensitive')
  })

  test('acknowledge_from makes alerts repeat from a level on', async () => {
    const acknowledge = async (sample: Sample) => (await become(sample, { acknowledge_from: 'critical' })) as object
    expect(await acknowledge(amFiring)).toHaveProperty('acknowledge', {})
    expect(await acknowledge({ body: KUMA.down })).toHaveProperty('acknowledge', undefined)
    expect(await acknowledge(amResolved)).toHaveProperty('acknowledge', undefined)
  })
})

describe('generic', () => {
  const generic = async (body: unknown, headers?: Record<string, string>, query?: string) =>
    toNotification(HOOK, 'generic', readReport('generic', await read(body, headers, query), {}) as never)

  test.each([
    [
      { subject: 'S', text: 'T', severity: 'high', link: 'https://a.example' },
      { title: 'S', body: 'T', level: 'time-sensitive', url: 'https://a.example' },
    ],
    [
      { msg: 'M', priority: 1 },
      { title: 'My hook', body: 'M', level: 'passive' },
    ],
    [{ title: 'only' }, { title: 'only', body: 'My hook' }],
    [{ any: { thing: [1] } }, { title: 'My hook', body: '{\n  "any": {\n    "thing": [\n      1\n    ]\n  }\n}' }],
    ['plain text', { title: 'My hook', body: 'plain text', level: 'active' }],
    ['', { title: 'My hook', body: 'The request was empty.' }],
  ])('%j', async (body, expected) => {
    expect(await generic(body)).toMatchObject(expected)
  })

  test('a document of more than 16 Ki characters is shown as it came, and not indented', async () => {
    const list = (entries: number) => JSON.stringify(Array.from({ length: entries }, () => 1))
    expect((await generic(list(8000))).body).toMatch(/^\[\n {2}1,\n {2}1/)
    expect((await generic(list(8200))).body).toMatch(/^\[1,1,1/)
  })

  test('forms and queries', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await generic('message=a+b&title=T', form)).toMatchObject({ title: 'T', body: 'a b' })
    expect(await generic('', {}, 'message=M&title=T&priority=5')).toMatchObject({
      title: 'T',
      body: 'M',
      level: 'critical',
    })
  })

  test('JSON that a quotation mark breaks is text, also where it is sent as a form', async () => {
    const broken = '{"title": "the "big" shop", "message": "down"}'
    expect(await generic(broken, { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      body: broken,
    })
  })

  test('a document that is not of the kind is read as a generic one', async () => {
    const kinds = HOOK_KINDS.filter((kind) => !['auto', 'template', 'slack'].includes(kind)) as ReadableKind[]
    for (const kind of kinds) {
      const report = readReport(kind, await read({ note: 'odd' }), {})
      expect([kind, (report as { body: string }).body]).toEqual([kind, '{\n  "note": "odd"\n}'])
    }
  })
})

describe('auto stores what it cannot read as it came', () => {
  const indented = (body: object) => JSON.stringify(body, null, 2)
  const html = { type: 'message', attachments: [{ contentType: 'text/html', content: '<b>db-1 is down</b>' }] }

  test.each<[unknown, string]>([
    ...[
      html,
      { version: '1.0', subject: 'db-1', note: 'is down', attachments: [] },
      { attachments: [{ color: 'red' }] },
      { blocks: [] },
      { text: '' },
      { content: '', embeds: [{}] },
      { text: {}, attachments: 'x' },
    ].map((body): [unknown, string] => [body, indented(body)]),
    [[], '[]'],
    [{}, '{}'],
    ['{"text":', '{"text":'],
    ['\u0000', 'The request was empty.'],
  ])('%j', async (body, stored) => {
    expect(await become({ body })).toMatchObject({ kind: 'generic', body: stored })
  })
})

describe('documents in forms', () => {
  test.each([
    ['payload', SLACK.text, 'slack'],
    ['payload_json', DISCORD.content, 'discord'],
    ['data', KUMA.down, 'uptime-kuma'],
  ])('the field %s', async (field, body, kind) => {
    const form = new FormData()
    form.set(field, JSON.stringify(body))
    form.set('file', new Blob([new Uint8Array([1, 2])]), 'a.bin')
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const request = { method: 'POST', headers, query: '', body: Buffer.from(await encoded.arrayBuffer()) }
    expect(readRecognized(await readDocument(request), {}).kind).toBe(kind)
  })
})

// Webhooks in the console: the address for a tool, the settings form, the body of a request, errors of templates.
import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { draftOf, toPatch } from '../../console/src/hooks/options.ts'
import { isCut, prettyBody } from '../../console/src/hooks/request-body.ts'
import { parseErrors, renderErrors, withoutEmptyFields } from '../../console/src/hooks/template/fields.ts'
import { missingPaths, pathsOf } from '../../console/src/hooks/template/paths.ts'
import { addressFor, OFFERED_KINDS, testCommand } from '../../console/src/hooks/tools.ts'
import { HOOK_TOOLS } from '../../console/src/texts/hook-tools.ts'
import { byteSize } from '../../console/src/ui/byte-size.ts'
import { HOOK_KINDS, type HookView } from '../../src/contract/hooks.ts'

test('the command to test a tool with is passed on unchanged by a shell, with the secret as bearer token', () => {
  expect(testCommand('slack', 'https://push.example.org/hooks/T', "it's")).toBe(
    [
      'curl https://push.example.org/hooks/T',
      `-H 'Content-Type: application/json'`,
      `-H 'Authorization: Bearer it'\\''s'`,
      `-d '{"text":"It works."}'`,
    ].join(' \\\n  '),
  )
})

test('every kind has steps; the address for Apprise is a URL of Apprise', () => {
  expect(Object.keys(HOOK_TOOLS).sort()).toEqual([...HOOK_KINDS].sort())
  for (const kind of OFFERED_KINDS) expect(HOOK_TOOLS[kind].steps.length).toBeGreaterThan(1)
  expect(addressFor('apprise', 'https://push.example.org/hooks/T')).toBe(
    'apprises://push.example.org/hooks/T/heliograph',
  )
  expect(addressFor('apprise', 'http://localhost:8080/hooks/T')).toBe('apprise://localhost:8080/hooks/T/heliograph')
  expect(addressFor('backrest', 'https://push.example.org/hooks/T')).toBe('generic+https://push.example.org/hooks/T')
  expect(addressFor('changedetection', 'https://push.example.org/hooks/T')).toBe('posts://push.example.org/hooks/T')
  expect(addressFor('grafana', 'https://push.example.org/hooks/T')).toBe('https://push.example.org/hooks/T')
})

describe('the settings form', () => {
  const hook: HookView = {
    id: 'h',
    name: 'CI',
    kind: 'github',
    key_id: 'k',
    has_secret: true,
    storm: { pushes_per_minute: 30 },
    options: {
      level: { warning: 'critical' },
      acknowledge_from: 'critical',
      escalation: 'night',
      resolved: 'drop',
      as: 'activity',
      events: ['push'],
    },
    created_at: '2026-11-16T09:00:00Z',
  }

  test('saves unchanged what it does not change, levels by severity included', () => {
    expect(toPatch(draftOf(hook), hook)).toEqual({
      name: 'CI',
      kind: 'github',
      options: hook.options,
      storm: hook.storm,
      secret: undefined,
    })
  })

  test('leaves options away that do not apply, and removes the secret when asked to', () => {
    const changes = { kind: 'slack' as const, level: 'active', acknowledgeFrom: '', storm: '', keyId: 'other' }
    const draft = { ...draftOf(hook), ...changes, isSecretRemoved: true }
    expect(toPatch(draft, hook)).toEqual({
      name: 'CI',
      kind: 'slack',
      options: { level: 'active', resolved: 'drop' },
      storm: null,
      secret: null,
      key_id: 'other',
    })
  })
})

describe('the body of a request', () => {
  const body = (text: string, bytes = Buffer.byteLength(text)) =>
    ({ body: text, body_encoding: 'utf-8', body_bytes: bytes }) as const

  test('is indented if it is JSON, and unchanged otherwise', () => {
    expect(prettyBody(body('{"a":[1]}'))).toBe('{\n  "a": [\n    1\n  ]\n}')
    for (const text of ['{"a":', 'text', '12', '']) expect(prettyBody(body(text))).toBe(text)
  })

  test('is known to be cut by its bytes, not by its characters', () => {
    expect(isCut(body('ä', 2))).toBe(false)
    expect(isCut(body('ä', 3))).toBe(true)
    expect(isCut({ body: 'AAE=', body_encoding: 'base64', body_bytes: 2 })).toBe(false)
  })

  test.each([
    [512, '512 B'],
    [1536, '1.5 KB'],
    [65_536, '64 KB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text)
  })
})

describe('the template editor', () => {
  const ORDER = { order: { id: 7, 'due at': 'noon', items: [{ name: 'Tea' }] }, none: null }

  test('lists the members of a body as a template names them, and finds those that it names in vain', () => {
    expect(pathsOf(ORDER)).toEqual(['body.order.id', 'body.order["due at"]', 'body.order.items[0].name', 'body.none'])
    expect(pathsOf(Array(100).fill(1))).toHaveLength(40)
    const template = {
      title: '{{ body.order.id }} {{ body.oder.x | upcase }} {{ body.order.items[1].name }}',
      body: '{{ body.order["due at"] }} {{ body.order.items.size }} {{ body.who | default: "nobody" }} {% if body.what %}{% endif %}',
      level: '{{ body.oder.x }}',
    }
    expect(missingPaths(template, ORDER)).toEqual(['body.oder.x', 'body.order.items[1].name'])
  })

  test('sends no empty fields, and nothing if all are empty', () => {
    expect(withoutEmptyFields({ title: 'T', drop: '' })).toEqual({ title: 'T' })
    expect(withoutEmptyFields({ title: '' })).toBeUndefined()
  })

  test('shows each error at its field', () => {
    const violations = [
      { location: 'body.template.title', message: 'not closed' },
      { location: 'body.request', message: 'missing' },
    ]
    expect(parseErrors(violations)).toEqual({ title: 'not closed' })
    const preview = { result: 'sent', kind: 'template', notifications: [] } as const
    expect(renderErrors({ ...preview, notifications: [], detail: 'thread_id: too long' })).toEqual({
      thread_id: 'too long',
    })
    expect(renderErrors({ ...preview, notifications: [], detail: 'Sent only after a failure.' })).toEqual({})
  })
})

// The first steps and the keys: what is derived from the account, and the snippets for programs.
import { describe, expect, test } from 'vitest'
import { PROGRAM_IDS, PROGRAMS, programsOf } from '../../console/src/first-run/programs.ts'
import { type Account, stepsOf, waitingPhone } from '../../console/src/first-run/steps.ts'
import { lastUseOf } from '../../console/src/keys/load.ts'
import { FIRST_RUN_TEXTS, PROGRAM_GROUPS } from '../../console/src/texts/first-run.ts'
import type { DeviceView } from '../../src/contract/devices.ts'
import type { HookView } from '../../src/contract/hooks.ts'
import type { KeyView } from '../../src/contract/keys/keys.ts'

const AT = '2026-11-16T09:00:00Z'
const device = (id: string, more: Partial<DeviceView>): DeviceView => ({
  id,
  name: id,
  platform: 'web',
  channel: 'web_push',
  tags: [],
  created_at: AT,
  last_seen_at: AT,
  ...more,
})
const key = (more: Partial<KeyView>) => ({ is_default: true, ...more }) as KeyView
const EMPTY: Account = { newestId: undefined, devices: [], ownDeviceId: 'own', keys: [key({})], hooks: [] }

describe('the steps of an account', () => {
  test('nothing is done in a new one, which has a default key that nobody has used', () => {
    expect(stepsOf(EMPTY)).toEqual({ sent: false, browser: false, phone: undefined, program: false })
  })

  test('this browser is one step, any other receiving device the other', () => {
    const app = { platform: 'gotify', channel: 'stream', last_seen_at: '2026-11-16T09:05:00Z' } as const
    const [own, phone] = [device('own', {}), device('phone', app)]
    expect(stepsOf({ ...EMPTY, devices: [own] })).toMatchObject({ browser: true, phone: undefined })
    expect(stepsOf({ ...EMPTY, devices: [phone] })).toMatchObject({ browser: false, phone })
  })

  test('a device that is reached only while it is connected counts for neither', () => {
    const terminal = device('terminal', { channel: 'stream' })
    expect(stepsOf({ ...EMPTY, devices: [terminal] })).toMatchObject({ browser: false, phone: undefined })
  })

  test('an app that has never connected is no phone yet: the step waits for it', () => {
    const phone = device('phone', { platform: 'ntfy', channel: 'stream' })
    expect(stepsOf({ ...EMPTY, devices: [phone] }).phone).toBeUndefined()
    expect(waitingPhone({ ...EMPTY, devices: [phone] })).toBe(phone)
  })

  test('a program is connected by its first request, and not by a key or an address that nobody has used', () => {
    const hook = (more: Partial<HookView>) => ({ name: 'H', ...more }) as HookView
    for (const more of [{ keys: [key({}), key({ is_default: false })] }, { hooks: [hook({})] }]) {
      expect(stepsOf({ ...EMPTY, ...more }).program).toBe(false)
    }
    for (const more of [{ keys: [key({ last_used_at: AT })] }, { hooks: [hook({ last_received_at: AT })] }]) {
      expect(stepsOf({ ...EMPTY, ...more }).program).toBe(true)
    }
  })
})

describe('programs', () => {
  test('every snippet has its place in words, the address, and the key in one of them', () => {
    for (const id of PROGRAM_IDS) {
      const connection = PROGRAMS[id]
      if ('hook' in connection) continue
      const snippets = connection.snippets('https://h.example', 'hlk_K')
      expect([id, snippets.length]).toEqual([id, FIRST_RUN_TEXTS.program.programs[id].places.length])
      expect(snippets.join('\n')).toContain('https://h.example')
      expect(snippets.join('\n')).toContain('hlk_K')
    }
  })

  test('every program is in one group', () => {
    expect(PROGRAM_GROUPS.flatMap(programsOf).sort()).toEqual([...PROGRAM_IDS].sort())
  })

  test('an agent gets the address of MCP and a key that asks, sends and shows progress, and no more', () => {
    for (const id of programsOf('agents')) {
      const connection = PROGRAMS[id]
      if ('hook' in connection) throw new Error(`${id} has a webhook`)
      const [snippet = ''] = connection.snippets('https://h.example', 'hlk_K')
      expect(snippet).toMatch(
        id === 'claude-desktop' ? /"HELIOGRAPH_URL": "https:\/\/h\.example"/ : /https:\/\/h\.example\/mcp\b/,
      )
      if (id !== 'claude-code') expect(() => JSON.parse(snippet)).not.toThrow()
      expect(connection.permissions).toEqual({ notifications: 'send', activities: 'manage' })
    }
  })

  test('the flow for Node-RED is JSON; the line for cron is one line without percent signs', () => {
    const [flow, line] = (['node-red', 'cron'] as const).map((id) => {
      const connection = PROGRAMS[id]
      return 'snippets' in connection ? (connection.snippets('https://h.example', 'hlk_K')[0] ?? '') : ''
    })
    expect(JSON.parse(flow ?? '').map(({ type }: { type: string }) => type)).toEqual([
      'inject',
      'function',
      'http request',
    ])
    expect(line).not.toMatch(/[\n%]/)
  })
})

test('a key is never used before it was created, although the server stores only the minute of its use', () => {
  expect(lastUseOf({ last_used_at: '2026-11-16T09:00:00Z', created_at: '2026-11-16T09:00:42Z' })).toBe(
    '2026-11-16T09:00:42Z',
  )
  expect(lastUseOf({ created_at: AT })).toBeUndefined()
})

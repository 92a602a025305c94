// Reads samples of requests as the door does, and tells what they become.
import type { KeyId, UserId } from '../../../src/domain/caller.ts'
import { readDocument } from '../../../src/domain/hooks/document.ts'
import type { Hook, HookId, HookKind } from '../../../src/domain/hooks/hook.ts'
import { readRecognized } from '../../../src/domain/hooks/kinds.ts'
import { toNotification } from '../../../src/domain/hooks/notification.ts'
import { instant } from '../../../src/domain/instant.ts'

export const HOOK: Hook = {
  id: 'hook-1' as HookId,
  userId: 'u' as UserId,
  keyId: 'k' as KeyId,
  name: 'My hook',
  kind: 'auto',
  secret: null,
  template: null,
  options: {},
  stormLimit: null,
  createdAt: instant(0),
  lastReceivedAt: null,
}

export type Sample = { headers?: Record<string, string>; body: unknown }

export async function read(body: unknown, headers: Record<string, string> = {}, query = '') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readDocument({ method: 'POST', headers, query, body: Buffer.from(text) })
}

export async function become(sample: Sample, options: Hook['options'] = {}) {
  const document = await read(sample.body, sample.headers)
  const { kind, report } = readRecognized(document, options)
  return 'dropped' in report ? { kind, ...report } : { kind, ...toNotification({ ...HOOK, options }, kind, report) }
}

// kind, sample, title, body, level, thread, url
export type Row = [HookKind, Sample, string, string, string, string, string | undefined]

export const DEFAULT_THREAD = 'hook:hook-1'

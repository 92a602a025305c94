// Encrypted notifications, opened with the key that this browser holds, if it is the right one.
import { effect, signal } from '@preact/signals'
import type { NotificationView } from '../../../src/contract/notification.ts'
import { deriveKey, type EnvelopeKey, type OpenedEnvelope, openEnvelope, parseKey } from '../crypto/envelope.ts'
import { forget, keep, recall } from '../state/browser-store.ts'
import { TEXTS } from '../texts.ts'
import { notifications } from './inbox.ts'

export const envelopeKey = signal<EnvelopeKey | undefined>(undefined)

const opened = signal<Record<string, OpenedEnvelope>>({})

export type Shown = NotificationView & { isLocked: boolean }

// What to show of a notification: its own words where they can be read.
export function shown(notification: NotificationView): Shown {
  const { encrypted } = notification
  const content = encrypted === undefined ? undefined : opened.value[encrypted]
  return { ...notification, ...content, isLocked: encrypted !== undefined && content === undefined }
}

export async function recallKey(): Promise<void> {
  envelopeKey.value = await recall('envelope-key')
}

// Only what is derived from it is kept, and that cannot be read out again.
export async function setKey(text: string): Promise<void> {
  const secret = parseKey(text)
  if (!secret) throw new Error(TEXTS.settings.keyMalformed)
  const key = await deriveKey(secret)
  await keep('envelope-key', key)
  envelopeKey.value = key
}

export async function dropKey(): Promise<void> {
  await forget('envelope-key')
  envelopeKey.value = undefined
  opened.value = {}
}

export async function open(envelope: string): Promise<void> {
  const key = envelopeKey.value
  if (!key || envelope in opened.peek()) return
  const content = await openEnvelope(envelope, key)
  if (content) opened.value = { ...opened.peek(), [envelope]: content }
}

effect(() => {
  if (!envelopeKey.value) return
  for (const { encrypted } of notifications.value) if (encrypted !== undefined) void open(encrypted)
})

// Decrypted notifications, if this browser has the right key.
import { effect, signal } from '@preact/signals'
import {
  deriveKey,
  type EnvelopeKey,
  type OpenedEnvelope,
  openEnvelope,
  parseKey,
} from '../../../clients/typescript/envelope.ts'
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import { deleteValues, readValue, storeValue } from '../state/browser-store.ts'
import { TEXTS } from '../texts/base.ts'
import { notifications } from './inbox.ts'

export const envelopeKey = signal<EnvelopeKey | undefined>(undefined)

const decrypted = signal<Record<string, OpenedEnvelope>>({})

export type DecryptedView = NotificationView & { isLocked: boolean }

// The notification with its decrypted text, if available.
export function decryptedView(notification: NotificationView): DecryptedView {
  const { encrypted } = notification
  const content = encrypted === undefined ? undefined : decrypted.value[encrypted]
  return { ...notification, ...content, isLocked: encrypted !== undefined && content === undefined }
}

export async function loadStoredKey(): Promise<void> {
  envelopeKey.value = await readValue('envelope-key')
}

// Stores only the derived, non-extractable key.
export async function setKey(text: string): Promise<void> {
  const secret = parseKey(text)
  if (!secret) throw new Error(TEXTS.keyMalformed)
  const key = await deriveKey(secret)
  await storeValue('envelope-key', key)
  envelopeKey.value = key
}

export async function removeKey(): Promise<void> {
  await deleteValues('envelope-key')
  envelopeKey.value = undefined
  decrypted.value = {}
}

export async function decrypt(envelope: string): Promise<void> {
  const key = envelopeKey.value
  if (!key || envelope in decrypted.peek()) return
  const content = await openEnvelope(envelope, key)
  if (content) decrypted.value = { ...decrypted.peek(), [envelope]: content }
}

effect(() => {
  if (!envelopeKey.value) return
  for (const { encrypted } of notifications.value) if (encrypted !== undefined) void decrypt(encrypted)
})

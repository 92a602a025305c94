// verifyCallback and envelopes of @heliograph/client, against Standard Webhooks' own library and Node's cryptography.
import { createHash, createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { decrypt, encrypt, verifyCallback } from '../../clients/typescript/client.ts'

const KEY = `hlk_${'k'.repeat(32)}`
const KEY_HASH = createHash('sha256').update(KEY).digest()
const SECRET = `whsec_${createHmac('sha256', KEY_HASH).update('pushward/callback/v1').digest('base64')}`
const BODY = JSON.stringify({ type: 'notification.acknowledged', data: { notification_id: 1 } })

function signed(body = BODY, at = new Date()) {
  return {
    'webhook-id': 'pwr_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('pwr_1', at, body),
  }
}

describe('verifyCallback', () => {
  test('accepts the key or its secret, headers of fetch or of node:http, and one of two signatures', async () => {
    const headers = signed()
    const both = { ...headers, 'webhook-signature': `v1,${'A'.repeat(44)} ${headers['webhook-signature']}` }
    const genuine = { type: 'notification.acknowledged', data: { notification_id: 1 } }
    expect(await verifyCallback(KEY, { headers, body: BODY })).toEqual(genuine)
    const bytes = new TextEncoder().encode(BODY)
    expect(await verifyCallback(SECRET, { headers: new Headers(both), body: bytes })).toEqual(genuine)
  })

  test.each([
    ['another body', signed(), '{}', KEY],
    ['another key', signed(), BODY, `hlk_${'o'.repeat(32)}`],
    ['an old timestamp', signed(BODY, new Date(Date.now() - 301_000)), BODY, KEY],
    ['no timestamp', { ...signed(), 'webhook-timestamp': undefined }, BODY, KEY],
    ['a signature that is not base64', { ...signed(), 'webhook-signature': 'v1,%%%' }, BODY, KEY],
    ['no headers', {}, BODY, KEY],
  ])('refuses %s', async (_, headers, body, key) => {
    await expect(verifyCallback(key, { headers, body })).rejects.toThrow('The callback')
  })
})

describe('an envelope', () => {
  const key = Buffer.alloc(32, 7).toString('base64url')

  test('that was encrypted is decrypted with its key and no other', async () => {
    const content = { title: 'Alarm', body: 'Front door 🚪', url: 'https://home.example' }
    const envelope = await encrypt(key, content)
    expect(envelope).toMatch(/^pw1\.[0-9a-f]{8}\.[\w-]+$/)
    expect(await decrypt(key, envelope)).toEqual(content)
    expect(await decrypt('00'.repeat(32), envelope)).toBeUndefined()
    expect(await encrypt(key, content)).not.toBe(envelope)
  })

  test('needs a key of 32 bytes', async () => {
    await expect(encrypt('short', { title: 'T', body: 'B' })).rejects.toThrow('32 bytes')
  })
})

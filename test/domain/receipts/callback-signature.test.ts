// R32: the signature of a callback, checked with the vectors of the specification, an independent HMAC and a library.
import { createHash, createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test, vi } from 'vitest'
import { callbackHeaders, callbackSecret } from '../../../src/domain/receipts/callback-signature.ts'
import { hashToken } from '../../../src/domain/token.ts'

const VECTORS = [
  {
    key: 'hlk_0123456789abcdef0123456789abcdef',
    whsec: 'whsec_I1p3Yj83UaqkDUbjL1juMcCeRaMo2WAxaTS/hpRZYfA=',
    id: 'pwr_4242',
    timestamp: '1791000000',
    body: '{"type":"notification.acknowledged","timestamp":"2026-10-03T07:20:00Z","data":{"notification_id":4242,"status":"acknowledged"}}',
    signature: 'v1,CwJwXrTUKcrmpfmtGoMQBsuERPgCrJ80Zl4WqfXTJSc=',
  },
  {
    key: 'hlk_ZYXWVUTSRQPONMLKJIHGFEDCBA987654',
    whsec: 'whsec_PCXLwSxzM9ljQqf4K/QiCwiOPeEv2brZpRQrQrJQasE=',
    id: 'pwr_77',
    timestamp: '1791003600',
    body: '{"type":"notification.expired","timestamp":"2026-10-03T08:20:00Z","data":{"notification_id":77,"status":"expired"}}',
    signature: 'v1,KY2HcNz9cy9kTYrTtmYkdAvjwhupmaCuzWkep5JP5a8=',
  },
]

const headersOf = ({ key, id, timestamp, body }: (typeof VECTORS)[number]) =>
  callbackHeaders([hashToken(key)], { id, timestampSeconds: Number(timestamp), body })

function verify(whsec: string, body: string, headers: Record<string, string>): void {
  // The library checks the timestamp against the real time.
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 })
  try {
    new Webhook(whsec).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

describe.each(VECTORS)('R32 the callback $id', (vector) => {
  const { key, whsec, id, timestamp, body, signature } = vector

  test('has the secret of the specification, which can be derived from the key', () => {
    expect(`whsec_${callbackSecret(hashToken(key)).toString('base64')}`).toBe(whsec)
    const derived = createHmac('sha256', createHash('sha256').update(key).digest()).update('pushward/callback/v1')
    expect(`whsec_${derived.digest('base64')}`).toBe(whsec)
  })

  test('has the headers of the specification', () => {
    expect(headersOf(vector)).toEqual({
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    })
  })

  test('is accepted by a public library, and refused when one byte is changed', () => {
    const headers = headersOf(vector)
    expect(() => verify(whsec, body, headers)).not.toThrow()
    expect(() => verify(whsec, body.replace('"status"', '"statuS"'), headers)).toThrow('No matching signature')
    expect(() => verify(whsec, body, { ...headers, 'webhook-id': `${id}0` })).toThrow('No matching signature')
  })
})

test('R32 with two keys there are two signatures, and either is enough', () => {
  const [old, fresh] = VECTORS as [(typeof VECTORS)[number], (typeof VECTORS)[number]]
  const { id, timestamp, body } = old
  const callback = { id, timestampSeconds: Number(timestamp), body }
  const headers = callbackHeaders([hashToken(old.key), hashToken(fresh.key)], callback)
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
  for (const { whsec } of [old, fresh]) expect(() => verify(whsec, body, headers)).not.toThrow()
})

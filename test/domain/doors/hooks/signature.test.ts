// Signatures of Standard Webhooks, made by the library of the specification.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { knowsSecret } from '../../../../src/domain/hooks/signature.ts'
import { instant } from '../../../../src/domain/instant.ts'

test('Standard Webhooks', () => {
  const secret = `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`
  const now = instant(1_772_337_600_000)
  const body = '{"type":"door.opened"}'
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), body),
  }
  const request = { method: 'POST', headers, query: '', body: Buffer.from(body) }
  expect(knowsSecret(request, secret, now)).toBe(true)
  expect(knowsSecret({ ...request, body: Buffer.from(`${body} `) }, secret, now)).toBe(false)
  expect(knowsSecret(request, secret, instant(now + 301_000))).toBe(false)
})

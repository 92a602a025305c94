// The outer form of an envelope: a real one is accepted, and similar texts are refused.
import { Buffer } from 'node:buffer'
import { createCipheriv, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { envelopeViolations } from '../../../src/domain/notifications/draft.ts'

const isAccepted = (envelope: string) => envelopeViolations('body.encrypted', envelope).length === 0
const holding = (sealed: Uint8Array) => `pw1.0123abcd.${Buffer.from(sealed).toString('base64url')}`
const smallest = holding(new Uint8Array(30))

test('an envelope made by the specification is accepted', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `pushward/e2e/v1/${purpose}`, bytes))
  const kid = derive('kid', 4).toString('hex')
  const nonce = Buffer.from(Array.from({ length: 12 }, (_, index) => 0xa0 + index))
  const cipher = createCipheriv('aes-256-gcm', derive('enc', 32), nonce).setAAD(Buffer.from(`pw1.${kid}`))
  const text = cipher.update(JSON.stringify({ title: 'Disk full', body: '/var is at 97% on db01' }))
  const sealed = Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()])
  const envelope = `pw1.${kid}.${sealed.toString('base64url')}`

  expect(envelope).toBe(
    'pw1.767c0806.oKGio6Slpqeoqaqr-DhDOK4k53I0XIqFXerStl8L5wgFH2EUp_HSYIhOtPQU6R9X6oBtcwaIVw6kyen5OK3Vm_WWiP9w4ooFbGhar_XGOj1J',
  )
  expect(isAccepted(envelope)).toBe(true)
})

test('any content of at least 30 bytes is accepted, and shorter content is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90 }), (sealed) => {
      expect(isAccepted(holding(sealed))).toBe(sealed.length >= 30)
    }),
  )
  expect(isAccepted(smallest)).toBe(true)
  expect(isAccepted(holding(new Uint8Array(29)))).toBe(false)
})

test.each([
  ['nothing', ''],
  ['another version', smallest.replace('pw1', 'pw2')],
  ['an upper-case version', smallest.replace('pw1', 'PW1')],
  ['a key id of seven digits', smallest.replace('0123abcd', '0123abc')],
  ['a key id of nine digits', smallest.replace('0123abcd', '0123abcde')],
  ['an upper-case key id', smallest.replace('0123abcd', '0123ABCD')],
  ['no key id', smallest.replace('0123abcd.', '')],
  ['a fourth part', `${smallest}.AAAA`],
  ['padding', `${holding(new Uint8Array(31))}==`],
  ['a dangling character', `${smallest}A`],
  ['stray bits behind one byte', `${smallest}AB`],
  ['stray bits behind two bytes', `${smallest}AAB`],
  ['the other base64 alphabet', smallest.replace(/A$/, '+')],
  ['space before it', ` ${smallest}`],
  ['a trailing line break', `${smallest}\n`],
])('%s is refused', (_what, envelope) => {
  expect(envelopeViolations('body.encrypted', envelope)).toEqual([
    { location: 'body.encrypted', message: expect.stringMatching(/base64url/) },
  ])
})

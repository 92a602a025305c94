// Decrypting notifications in the browser. The first case is the published test vector of the format.
import { describe, expect, test } from 'vitest'
import { deriveKey, openEnvelope, parseKey } from '../../clients/typescript/envelope.ts'

const KEY_HEX = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const KID = '767c0806'
const ENVELOPE =
  'pw1.767c0806.oKGio6Slpqeoqaqr-DhDOK4k53I0XIqFXerStl8L5wgFH2EUp_HSYIhOtPQU6R9X6oBtcwaIVw6kyen5OK3Vm_WWiP9w4ooFbGhar_XGOj1J'

const keyOf = (text: string) => deriveKey(parseKey(text) as Uint8Array<ArrayBuffer>)

describe('an envelope', () => {
  test('is decrypted with its key', async () => {
    const key = await keyOf(KEY_HEX)
    expect(key.kid).toBe(KID)
    expect(await openEnvelope(ENVELOPE, key)).toEqual({ title: 'Disk full', body: '/var is at 97% on db01' })
  })

  test('is not decrypted with another key', async () => {
    expect(await openEnvelope(ENVELOPE, await keyOf('ff'.repeat(32)))).toBeUndefined()
  })

  test('is not decrypted when a single character was changed, also in the key id', async () => {
    const key = await keyOf(KEY_HEX)
    const [head, tail] = [ENVELOPE.slice(0, 40), ENVELOPE.slice(41)]
    expect(await openEnvelope(`${head}A${tail}`, key)).toBeUndefined()
    expect(await openEnvelope(ENVELOPE.replace(KID, '767c0807'), { ...key, kid: '767c0807' })).toBeUndefined()
    expect(await openEnvelope('nonsense', key)).toBeUndefined()
  })

  test('with anything but a message is not shown', async () => {
    const key = await keyOf(KEY_HEX)
    expect(await openEnvelope(await seal('{"title": 7, "body": "b"}'), key)).toBeUndefined()
    expect(await openEnvelope(await seal('no JSON'), key)).toBeUndefined()
    const padded = '{"title": "t", "body": "b", "url": "https://e.example", "other": 1}    '
    expect(await openEnvelope(await seal(padded), key)).toEqual({ title: 't', body: 'b', url: 'https://e.example' })
  })

  test.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    '\u0001data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
  ])('drops the url %j', async (url) => {
    const sealed = await seal(JSON.stringify({ title: 't', body: 'b', url }))
    expect(await openEnvelope(sealed, await keyOf(KEY_HEX))).toEqual({ title: 't', body: 'b' })
  })

  test('its key cannot be exported', async () => {
    const { key } = await keyOf(KEY_HEX)
    expect(key.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow()
  })
})

describe('a key in text form', () => {
  const base64 = Buffer.from(KEY_HEX, 'hex').toString('base64')

  test.each([
    ['hex', KEY_HEX],
    ['hex in capitals, in groups', (KEY_HEX.toUpperCase().match(/.{8}/g) ?? []).join(' ')],
    ['base64', base64],
    ['base64 without padding', base64.replace('=', '')],
    ['base64url', Buffer.from(KEY_HEX, 'hex').toString('base64url')],
  ])('may be %s', (_form, text) => {
    expect(Buffer.from(parseKey(text) ?? []).toString('hex')).toBe(KEY_HEX)
  })

  test.each(['', 'abc', KEY_HEX.slice(2), `${KEY_HEX}00`, `${base64}AAAA`])('is not %j', (text) => {
    expect(parseKey(text)).toBeUndefined()
  })
})

// Encrypts like a sender, with Node's own functions.
async function seal(plain: string): Promise<string> {
  const { createCipheriv, hkdfSync } = await import('node:crypto')
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(KEY_HEX, 'hex'), '', 'pushward/e2e/v1/enc', 32))
  const nonce = Buffer.alloc(12, 7)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`pw1.${KID}`))
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  return `pw1.${KID}.${sealed.toString('base64url')}`
}

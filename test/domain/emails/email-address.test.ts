// Which texts are mail addresses and mailboxes.
import { describe, expect, test } from 'vitest'
import { addressKey, isBareAddress, parseMailbox } from '../../../src/domain/emails/address.ts'

describe('a bare address', () => {
  test.each([
    'ada@example.org',
    'a@b',
    'ada.lovelace+heliograph@mail.example.co.uk',
    "o'brien@example.org",
    'ada@localhost',
    'ada@xn--exmple-cua.org',
    `${'a'.repeat(64)}@example.org`,
  ])('%s is accepted', (text) => {
    expect(isBareAddress(text)).toBe(true)
  })

  test.each([
    '',
    'ada',
    '@example.org',
    'ada@',
    'ada@@example.org',
    'ada@example.org@example.org',
    '.ada@example.org',
    'ada.@example.org',
    'a..da@example.org',
    'ada@example..org',
    'ada@-example.org',
    'ada@example.org.',
    'ada @example.org',
    'ada@example.org\n',
    '<ada@example.org>',
    '"ada"@example.org',
    'ada@[127.0.0.1]',
    'adä@example.org',
    `${'a'.repeat(65)}@example.org`,
    `ada@${'a'.repeat(64)}.org`,
    `ada@${'a.'.repeat(130)}org`,
  ])('%j is refused', (text) => {
    expect(isBareAddress(text)).toBe(false)
  })

  test('addresses that differ only in case are the same mailbox', () => {
    expect(addressKey('Ada@EXAMPLE.org')).toBe(addressKey('ada@example.ORG'))
  })
})

describe('the sender of mails', () => {
  test('is an address, with or without a name', () => {
    expect(parseMailbox('heliograph@example.org')).toEqual({ name: '', address: 'heliograph@example.org' })
    expect(parseMailbox(' Heliograph, Inc. <h@example.org> ')).toEqual({
      name: 'Heliograph, Inc.',
      address: 'h@example.org',
    })
  })

  test.each(['Heliograph', 'A <a@b', 'A "B" <a@b>', 'A\r\nBcc: c@d <a@b>', 'A <a@b> <c@d>', 'A <B <a@b>>', '<>'])(
    'is not %j',
    (text) => {
      expect(parseMailbox(text)).toBeUndefined()
    },
  )
})

// What the first start prints, on a terminal and elsewhere.
import { expect, test } from 'vitest'
import { welcomeText } from '../../src/cli/welcome.ts'
import { readTerminalQr } from '../support/cli/terminal-qr.ts'

const PUBLIC = {
  url: 'https://helio.example',
  signInLink: 'https://helio.example/app/#signin=CODE',
  defaultKey: 'hlk_K',
}
const LOCAL = {
  url: 'http://127.0.0.1:8080',
  signInLink: 'http://127.0.0.1:8080/app/#signin=CODE',
  defaultKey: 'hlk_K',
}

const codeIn = (text: string) => text.split('\n').filter((line) => line.startsWith('\u001b'))

test('on a terminal, an address that phones reach is a QR code of the sign-in link, which fits 80 columns', () => {
  const text = welcomeText({ ...PUBLIC, isTerminal: true })
  const code = codeIn(text)
  expect(readTerminalQr(code)).toBe(PUBLIC.signInLink)
  expect([...(code[0] ?? '')].length).toBeLessThan(80)
  expect(text).toContain('scan the code below')
})

test('elsewhere the command that prints the code is named', () => {
  const text = welcomeText({ ...PUBLIC, isTerminal: false })
  expect(codeIn(text)).toEqual([])
  expect(text).toContain('heliograph signin --qr')
})

test.each(['http://127.0.0.1:8080', 'http://0.0.0.0:8080', 'http://[::1]:8080'])(
  '%s gets no code: a phone cannot open it; one line says what to set',
  (url) => {
    const text = welcomeText({ ...LOCAL, url, isTerminal: true })
    expect(codeIn(text)).toEqual([])
    expect(text).toContain('start with --public-url https://')
  },
)

// The names of sessions.
import { expect, test } from 'vitest'
import { sessionName } from '../../../src/domain/accounts/session.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'Chrome on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Version/19.0 Safari/604.1`, 'Safari on iPhone'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`, 'Safari on Mac'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36', 'Chrome on Android'],
  [`Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) ${WEBKIT} CriOS/156.0.0.0 Safari/604.1`, 'Chrome on iPad'],
  ['Mozilla/5.0 (Linux; Android 16) SamsungBrowser/30.0 Chrome/152.0.0.0 Safari/537.36', 'Samsung Internet on Android'],
  ['Mozilla/5.0 (X11; CrOS x86_64 16000) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'Chrome on ChromeOS'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 OPR/140.0', 'Opera on Windows'],
  ['Mozilla/5.0 (Linux; Android 16)', 'Android'],
  ['curl/8.14.1', 'curl'],
  ['heliograph/0.1.0', 'heliograph'],
  ['\u0007', null],
  ['', null],
  [undefined, null],
])('%s is called %s', (userAgent, name) => {
  expect(sessionName(userAgent)).toBe(name)
})

// What a client gets whose request Node refuses before it is one.
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { answerClientError } from '../../src/http/client-error.ts'

function answerTo(code: string, members: object = {}) {
  const seen = { sent: '', isDestroyed: false }
  const socket = {
    writable: true,
    end: (text: string) => (seen.sent = text),
    destroy: () => (seen.isDestroyed = true),
    ...members,
  }
  answerClientError(Object.assign(new Error(code), { code }), socket as unknown as Socket)
  return seen
}

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request.timeout'],
  ['HPE_HEADER_OVERFLOW', 431, 'request.headers_too_large'],
  ['HPE_INVALID_METHOD', 400, 'request.header_invalid'],
])('%s is %i %s, and the connection ends', (code, status, problem) => {
  const { sent, isDestroyed } = answerTo(code)
  expect(sent).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(sent).toContain('\r\nConnection: close\r\n')
  expect(JSON.parse(sent.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, code: problem })
  expect(isDestroyed).toBe(false)
})

test('a connection that was reset, or whose response has begun, gets no answer', () => {
  const gone = { sent: '', isDestroyed: true }
  expect(answerTo('ECONNRESET')).toEqual(gone)
  expect(answerTo('HPE_INVALID_METHOD', { writable: false })).toEqual(gone)
  expect(answerTo('HPE_INVALID_METHOD', { _httpMessage: { headersSent: true } })).toEqual(gone)
})

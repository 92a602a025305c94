// Which URLs an action may have, and with which method, headers and body.
import { describe, expect, test } from 'vitest'
import type { WidgetAction } from '../../../src/contract/actions.ts'
import { actionViolations, urlViolations, withUpperCaseMethod } from '../../../src/domain/action-rules.ts'

const locations = (action: Parameters<typeof actionViolations>[1]) =>
  actionViolations('body.tap_action', action).map((violation) => violation.location)

describe('urls', () => {
  test.each([
    'https://example.com',
    'http://192.168.1.20:8123/api/webhook/x?a=b#c',
    'HTTPS://EXAMPLE.COM/',
    'https://[::1]:8080/',
    'https://user:password@example.com/',
    ' https://example.com ',
    'homeassistant://navigate/lovelace',
    'heliograph://widget/build',
    'shortcuts:run',
    'tel:+4912345',
    'x-callback+v1.0://go',
  ])('accepts %j', (url) => {
    expect(urlViolations('body.url', url)).toEqual([])
  })

  test.each([
    ['javascript:alert(1)', 'javascript:'],
    ['JavaScript:alert(1)', 'javascript:'],
    ['java\nscript:alert(1)', 'javascript:'],
    ['java\tscript:alert(1)', 'javascript:'],
    ['\u0001 javascript:alert(1)', 'javascript:'],
    ['java\u0085script:alert(1)', 'javascript:'],
    ['\u00a0data:text/html,x', 'data:'],
    ['FILE:///etc/passwd', 'file:'],
    ['vbscript:x', 'vbscript:'],
    ['', 'a scheme'],
    ['example.com/path', 'a scheme'],
    ['//example.com/path', 'a scheme'],
    ['/path', 'a scheme'],
    ['1password://x', 'a scheme'],
    ['java\u200bscript:x', 'a scheme'],
    [':x', 'a scheme'],
    ['https:', 'a host'],
    ['https://', 'a host'],
    ['https:///path', 'a host'],
    ['https:example.com', 'a host'],
    ['http:\\\\example.com', 'a host'],
    ['http://?q', 'a host'],
    ['http://:80/', 'a host'],
    ['http://user@/', 'a host'],
    ['https://exa mple.com/', 'a host'],
  ])('refuses %j for %s', (url, reason) => {
    expect(urlViolations('body.url', url)).toEqual([{ location: 'body.url', message: expect.stringContaining(reason) }])
  })

  test('the violation of an action is located at its url', () => {
    expect(locations({ url: 'javascript:x' })).toEqual(['body.tap_action.url'])
  })
})

describe('method, headers and body', () => {
  const request = { method: 'POST', headers: { 'X-Token': 'abc' }, body: '{}' }

  test('are accepted with http and https', () => {
    expect(locations({ url: 'http://example.com', ...request })).toEqual([])
    expect(locations({ url: ' \nHTTPS://example.com', ...request })).toEqual([])
  })

  test('are each refused on a custom scheme', () => {
    const url = 'homeassistant://x'
    expect(locations({ url })).toEqual([])
    expect(locations({ url, method: 'GET' })).toEqual(['body.tap_action.method'])
    expect(locations({ url, headers: { A: 'b' } })).toEqual(['body.tap_action.headers'])
    expect(locations({ url, body: 'x' })).toEqual(['body.tap_action.body'])
    expect(locations({ url, ...request })).toHaveLength(3)
  })

  test('method is stored in upper case, and nothing else is changed', () => {
    expect(withUpperCaseMethod({ url: 'https://example.com', method: 'pAtch' })).toEqual({
      url: 'https://example.com',
      method: 'PATCH',
    })
    const withoutMethod: WidgetAction = { url: 'x:y' }
    expect(withUpperCaseMethod(withoutMethod)).toEqual({ url: 'x:y' })
  })
})

describe('headers', () => {
  const withHeaders = (headers: Record<string, string>) => locations({ url: 'https://example.com', headers })

  test.each(['X-Token', 'a', "!#$%&'*+-.^_`|~09"])('accept the name %j', (name) => {
    expect(withHeaders({ [name]: 'value' })).toEqual([])
  })

  test.each(['', 'X Token', 'X:Token', 'X\nToken', 'Tökén', 'a/b'])(
    'refuse the name %j without repeating it',
    (name) => {
      expect(withHeaders({ [name]: 'value' })).toEqual(['body.tap_action.headers'])
    },
  )

  test.each(['a\rb', 'a\nb', 'a\r\nX: y'])('refuse the value %j', (value) => {
    expect(withHeaders({ Fine: 'a\tb', 'X-Token': value })).toEqual(['body.tap_action.headers.X-Token'])
  })

  test('names and values together have at most 1024 bytes of UTF-8', () => {
    expect(withHeaders({ 'X-A': 'a'.repeat(509), 'X-B': `${'ä'.repeat(254)}b` })).toEqual([])
    expect(withHeaders({ 'X-A': 'a'.repeat(510), 'X-B': `${'ä'.repeat(254)}b` })).toEqual(['body.tap_action.headers'])
  })
})

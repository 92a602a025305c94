// Parsers of settings. Each throws an Error whose message completes "HELIOGRAPH_X must be …".
import { canonicalAddressRange } from '../domain/address-rules.ts'
import { type Mailbox, parseMailbox } from '../domain/emails/address.ts'
import { Secret } from './secret.ts'

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new Error('a value, not empty')
  return text
}

export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max) throw new Error(`a whole number from ${min} to ${max}`)
    return value
  }
}

export function oneOf<const Value extends string>(...values: Value[]) {
  return (text: string): Value => {
    const found = values.find((value) => value === text)
    if (!found) throw new Error(`one of ${values.join(', ')}`)
    return found
  }
}

// A list of some of these values, or "none".
export function listFrom<const Value extends string>(values: readonly Value[]) {
  return (text: string): Value[] => {
    const names = text === 'none' ? [] : listOf(text)
    const unknown = names.find((name) => !values.some((value) => value === name))
    if (unknown !== undefined) throw new Error(`a list of ${values.join(', ')}, or none`)
    return values.filter((value) => names.includes(value))
  }
}

export function hostName(text: string): string {
  const host = text.trim().toLowerCase()
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/.test(host)) throw new Error('a host name such as ntfy.example.org')
  return host
}

export function httpUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('an http:// or https:// address')
  return text.replace(/\/+$/, '')
}

// Paths are appended to it. fetch refuses an address with a name or password, in words that repeat the password.
export function serverUrl(text: string): string {
  const url = URL.parse(httpUrl(text))
  if (url?.username || url?.password || url?.search || url?.hash)
    throw new Error('an http:// or https:// address without name, password, query and fragment')
  return httpUrl(text)
}

export function bearerToken(text: string): Secret {
  if (!/^[\x21-\x7e]+$/.test(text.trim())) throw new Error('one token, without spaces or line breaks')
  return new Secret(text.trim())
}

export function httpsUrl(text: string): string {
  if (URL.parse(text)?.protocol !== 'https:') throw new Error('an https:// address')
  return text.replace(/\/+$/, '')
}

// An attacker who changes this document on the way could sign in as anyone, so plain http is only for this machine.
export function httpsOrLocalUrl(text: string): string {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) throw new Error('an https:// address, or an http:// address of this machine')
  return text
}

export const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)

export function onOff(text: string): boolean {
  return oneOf('on', 'off')(text) === 'on'
}

export function postgresUrl(text: string): Secret {
  if (!/^postgres(ql)?:\/\//i.test(text)) throw new Error('an address that begins with postgres://')
  if (!URL.canParse(text)) {
    throw new Error(
      'an address such as postgres://name:password@host:5432/database, with a port of at most 65535; in a password, write @ as %40, # as %23, / as %2F and ? as %3F',
    )
  }
  return decodable(text)
}

export function smtpUrl(text: string): Secret {
  const url = URL.parse(text)
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('an address such as smtp://mail.example.org:587 or smtps://name:password@mail.example.org')
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new Error('an address that ends with the host or port; in a password, write # as %23, / as %2F and ? as %3F')
  return decodable(text)
}

export function mailbox(text: string): Mailbox {
  const parsed = parseMailbox(text)
  if (!parsed) throw new Error('an address such as heliograph@example.org or Heliograph <heliograph@example.org>')
  return parsed
}

function decodable(text: string): Secret {
  if (isDecodable(text)) return new Secret(text)
  throw new Error('an address in which every % that is part of a name or password is written %25')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export function networks(text: string): string[] {
  return listOf(text).map((part) => {
    try {
      return canonicalAddressRange(part)
    } catch {
      throw new Error(`IP addresses or CIDRs such as 10.0.0.0/8, joined by commas; "${part}" is neither`)
    }
  })
}

export function origins(text: string): string[] {
  for (const part of listOf(text)) {
    if (URL.parse(part)?.origin !== part)
      throw new Error(`origins such as https://example.org joined by commas; "${part}" is none`)
  }
  return listOf(text)
}

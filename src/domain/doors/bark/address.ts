// Where a Bark phone is reached: by its token at APNs, or through a bark-server, at the address that the app shows for it.
import type { BarkEncryption } from './encryption.ts'

// `authorization`: the user and password of the pasted address, as a header.
export type BarkServer = { base: string; key: string; authorization?: string }
export type BarkTarget = ({ token: string } | BarkServer) & { encryption?: BarkEncryption }

const KEY = /^[\w-]{1,128}$/

// `https://bark.example.org/abc…/`: the last segment is the key, the rest the server. Undefined if it is no such address.
export function readBarkAddress(address: string): BarkServer | undefined {
  if (!URL.canParse(address.trim())) return undefined
  const url = new URL(address.trim())
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const key = segments.pop()
  if (!key || !KEY.test(key) || !/^https?:$/.test(url.protocol)) return undefined
  const base = [url.origin, ...segments].join('/')
  if (url.username === '' && url.password === '') return { base, key }
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { base, key, authorization: `Basic ${Buffer.from(user).toString('base64')}` }
}

export const hostOf = ({ base }: BarkServer): string => new URL(base).host

// Apple's tokens of today have 64 digits, and it reserves the right to make them longer.
export const isApnsToken = (text: string): boolean => /^[0-9a-f]{16,160}$/i.test(text)

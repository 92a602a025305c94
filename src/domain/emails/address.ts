// Accepted e-mail addresses: bare, in ASCII, without quotes, comments, routes or display names, so that an address is
// the same text in a header, in an SMTP command and in the database.

export type Mailbox = { name: string; address: string }

const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
const LOCAL_CHARS = 64
const ADDRESS_CHARS = 254

export function isBareAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  if (more.length > 0 || text.length > ADDRESS_CHARS || local.length > LOCAL_CHARS) return false
  return LOCAL.test(local) && domain.split('.').every((label) => LABEL.test(label))
}

// Compares without case. The standard allows servers to distinguish case before the @; in practice none does.
export const addressKey = (address: string): string => address.toLowerCase()

export const domainOf = (address: string): string => address.slice(address.indexOf('@') + 1)

// `ada@example.org` or `Ada Lovelace <ada@example.org>`.
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name = '', address = text.trim()] = /^([^<>"\p{Cc}\p{Zl}\p{Zp}]*)<([^<>]+)>$/u.exec(text.trim()) ?? []
  return isBareAddress(address) ? { name: name.trim(), address } : undefined
}

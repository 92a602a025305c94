// The name under which something is counted per day for an address, which is not stored itself.
import { hmacOf } from '../../domain/signing.ts'
import type { Context } from '../context.ts'

export const limitKey = ({ signingKey }: Context, what: 'invited' | 'sign-in-mail', address: string): string =>
  `${what} ${hmacOf(signingKey, 'heliograph/daily-limit/v1', address).toString('base64url')}`

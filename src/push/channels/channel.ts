// What every way to a device has in common: the outcome of one push, as news rather than as an exception.
import type { Instant } from '../../domain/instant.ts'

export type Outcome =
  | { result: 'accepted' }
  // The address is dead: forget the token, unless it was registered after `goneAt`.
  | { result: 'device_gone'; reason: string; goneAt?: Instant }
  // Will never work; not retried.
  | { result: 'rejected'; reason: string }
  | { result: 'try_later'; reason: string; afterSeconds?: number }

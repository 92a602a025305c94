// A client of Gotify: a token with which the app on a device reads. The app gets one when it logs in with the password of
// the device.
import type { UserId } from '../../caller.ts'
import type { DeviceId } from '../../devices.ts'
import type { Instant } from '../../instant.ts'
import { isVersion3Token } from './version3-token.ts'

export type GotifyClient = { number: number; userId: UserId; deviceId: DeviceId; name: string; createdAt: Instant }

// The form before version 3 of Gotify, which every client accepts. Those of version 3 come from an import.
const FORM = /^C[A-Za-z0-9._-]{14}$/

export const hasFormOfClientToken = (text: string): boolean => FORM.test(text) || isVersion3Token('c', text)

// `random` returns so many random letters and digits.
export const makeClientToken = (random: (length: number) => string): string => `C${random(14)}`

// An app that logs in again and again leaves tokens behind; the oldest is revoked.
export const MOST_CLIENTS = 20

// Ids and secrets from the operating system's cryptographic source.
import { randomBytes, randomUUID } from 'node:crypto'
import { makeSignInRequestCode } from '../domain/accounts/sign-in-request.ts'
import { makeAppPassword } from '../domain/apps/password.ts'
import { makeClientToken } from '../domain/doors/gotify/client.ts'
import { type JoinCode, makeJoinCode } from '../domain/join-code.ts'
import { type AliasDoor, makeAliasToken } from '../domain/keys.ts'
import { makeToken, RANDOM_CHARS, type Token, type TokenKind, toBase62 } from '../domain/token.ts'

export const newUuid = (): string => randomUUID()

export const newToken = (kind: TokenKind): Token => makeToken(kind, randomText(RANDOM_CHARS))

export const newJoinCode = (): JoinCode => makeJoinCode(randomBytes(16))

export const newSignInRequestCode = (): string => makeSignInRequestCode(randomBytes(16))

export const newAliasToken = (door: AliasDoor): string => makeAliasToken(door, randomText)

export const newClientToken = (): string => makeClientToken(randomText)

export const newAppPassword = (): string => makeAppPassword(randomBytes(16))

export const randomNonce = (): Buffer => randomBytes(16)

export function randomText(length: number): string {
  for (;;) {
    const text = toBase62(randomBytes(length * 2), length)
    if (text) return text
  }
}

// Finds the caller of a request at the door for Gotify: also by the token of a client, which an app got when it logged in.
import type { Caller } from '../../../domain/caller.ts'
import { hasFormOfClientToken } from '../../../domain/doors/gotify/client.ts'
import { hashToken } from '../../../domain/token.ts'
import { authenticate, type ReadCredentials } from '../../authenticate.ts'
import type { Context } from '../../context.ts'
import { authenticateAtDoor } from '../authenticate.ts'

export const authenticateAtGotify = (
  ctx: Context,
  secret: string,
  readCredentials: ReadCredentials,
): Promise<Caller> =>
  hasFormOfClientToken(secret)
    ? authenticate(ctx, { kind: 'app', hash: hashToken(secret) })
    : authenticateAtDoor(ctx, 'gotify', secret, readCredentials)

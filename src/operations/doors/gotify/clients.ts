// Clients of Gotify: an app logs in with the password of its device and gets a token of its own.
import { Problem } from '../../../contract/problems.ts'
import type { SessionId } from '../../../domain/accounts/session.ts'
import type { AppCaller, Caller } from '../../../domain/caller.ts'
import { type GotifyClient, MOST_CLIENTS } from '../../../domain/doors/gotify/client.ts'
import { requireApp } from '../../../domain/permissions.ts'
import { hashToken } from '../../../domain/token.ts'
import { newClientToken, newUuid } from '../../../runtime/ids.ts'
import { lockUser } from '../../../store/accounts/accounts.ts'
import { insertToken } from '../../../store/accounts/tokens.ts'
import {
  deleteClient,
  insertClient,
  listClients,
  renameClient,
  type StoredClient,
} from '../../../store/doors/gotify.ts'
import type { Writer } from '../../../store/engine/database.ts'
import type { Context } from '../../context.ts'

// `isCaller`: the client that asks.
export type ListedClient = GotifyClient & { isCaller: boolean }

// The token is never stored or shown again.
export async function addClient(
  ctx: Context,
  caller: Caller,
  name: string,
): Promise<{ client: GotifyClient; token: string }> {
  requireApp(caller, 'gotify')
  const { userId, deviceId } = caller
  const now = ctx.clock.now()
  const token = newClientToken()
  const tokenHash = hashToken(token)
  return ctx.db.transact(async (tx) => {
    // The count of clients cannot change until the commit.
    await lockUser(tx, userId)
    const clients = await listClients(tx, userId, deviceId)
    for (const oldest of clients.slice(0, Math.max(0, clients.length + 1 - MOST_CLIENTS)))
      await deleteClient(tx, oldest)
    const id = newUuid() as SessionId
    await insertToken(tx, { id, hash: tokenHash, kind: 'gotify', userId, deviceId, createdAt: now })
    const client = { userId, deviceId, tokenHash, name, createdAt: now }
    return { client: { ...client, number: await insertClient(tx, client) }, token }
  })
}

export async function allClients(ctx: Context, caller: Caller): Promise<ListedClient[]> {
  requireApp(caller, 'gotify')
  const clients = await listClients(ctx.db.read, caller.userId, caller.deviceId)
  return clients.map(({ tokenHash, ...client }) => ({ ...client, isCaller: tokenHash === caller.tokenHash }))
}

export async function changeClientName(
  ctx: Context,
  caller: Caller,
  number: number,
  name: string,
): Promise<GotifyClient> {
  requireApp(caller, 'gotify')
  return ctx.db.transact(async (tx) => {
    const client = await requireClient(tx, caller, number)
    await renameClient(tx, client, name)
    return { ...client, name }
  })
}

export async function removeClient(ctx: Context, caller: Caller, number: number): Promise<void> {
  requireApp(caller, 'gotify')
  await ctx.db.transact(async (tx) => deleteClient(tx, await requireClient(tx, caller, number)))
}

// Clients of other devices look as if they did not exist.
async function requireClient(tx: Writer, { userId, deviceId }: AppCaller, number: number): Promise<StoredClient> {
  const client = (await listClients(tx, userId, deviceId)).find((one) => one.number === number)
  if (!client) throw new Problem('device.not_found', `client with id ${number} doesn't exists`)
  return client
}

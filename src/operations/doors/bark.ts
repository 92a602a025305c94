// Sends for Bark. Its device keys are integration keys here: a key of a phone sends nothing, because it is in every text that a
// person copies out of the app.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { BARK_CHANNEL, fromBark } from '../../domain/doors/bark/mapping.ts'
import { type BarkParameters, isDeletion } from '../../domain/doors/bark/parameters.ts'
import { requireLevel } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { isDeviceKey } from '../../store/apps/links.ts'
import { listSequence } from '../../store/doors/records.ts'
import type { ReadCredentials } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { removeFor } from '../notifications/removal.ts'
import { sendNotification } from '../notifications/send.ts'
import { authenticateAtDoor } from './authenticate.ts'

export async function sendFromBark(
  ctx: Context,
  key: string,
  parameters: BarkParameters,
  readCredentials: ReadCredentials,
): Promise<void> {
  const caller = await findSender(ctx, key, readCredentials)
  requireLevel(caller, 'notifications', 'send')
  const { id } = parameters
  if (id && isDeletion(parameters)) return deleteSent(ctx, caller, id)
  await sendNotification(ctx, caller, fromBark(parameters, caller.keyName))
}

// Full-access tokens are refused: addresses end up in logs and histories.
async function findSender(ctx: Context, key: string, readCredentials: ReadCredentials) {
  try {
    const caller = await authenticateAtDoor(ctx, 'bark', key, readCredentials)
    if (caller.kind === 'key') return caller
    throw new Problem('token.invalid', 'this is no key for sending; make one under Keys of the console')
  } catch (error) {
    if (!(error instanceof Problem) || error.problem !== 'token.invalid') throw error
    if (!(await isDeviceKey(ctx.db.read, hashToken(key)))) throw error
    throw new Problem(
      'token.invalid',
      'this is the key of a phone (Devices of the console), which cannot send; make one under Keys of the console',
    )
  }
}

const AT_ONCE = 20

// Deletes what this key has sent under this id.
async function deleteSent(ctx: Context, caller: Caller & { kind: 'key' }, sequence: string): Promise<void> {
  const which = { door: 'bark', channel: BARK_CHANNEL, sequence, keyId: caller.keyId } as const
  const ids = await listSequence(ctx.db.read, caller.userId, which)
  const now = ctx.clock.now()
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE)
    await ctx.slices(caller.userId, () => ctx.db.transact((tx) => removeFor(tx, caller, some, now)))
  }
}

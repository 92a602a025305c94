// Where devices in the same network reach this server, for its operators.
import type { Caller } from '../../domain/caller.ts'
import { listensElsewhere, networkAddresses, type StartedAs, startedAs } from '../../runtime/machine.ts'
import { requireOperator } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'

export type Addresses = { addresses: string[]; listensElsewhere: boolean; startedAs: StartedAs }

// `port`: the one that the request came to; the setting may be 0, which picks a free one.
export async function findAddresses(ctx: Context, caller: Caller, port: number): Promise<Addresses> {
  await requireOperator(ctx, caller)
  const { host } = ctx.config
  return {
    addresses: networkAddresses(host).map((address) => `http://${address}:${port}`),
    listensElsewhere: listensElsewhere(host),
    startedAs: startedAs(),
  }
}

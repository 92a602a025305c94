// Tells the owner of a display, on all their devices and at most once a day, that it needs to be charged or has not called.
import type { Sender, UserId } from '../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { findUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { listMissedDisplays, updateMissed } from '../../store/screens.ts'
import type { Context } from '../context.ts'
import { storeMessage } from '../notifications/account.ts'
import { composeMessage } from '../notifications/store.ts'

type Told = { userId: UserId; toldAt: Instant | null }
type Notice = { title: string; body: string }

export const batteryNotice = (name: string, volts: number): Notice => ({
  title: `Charge ${name}`,
  body: `The battery of this display has ${volts.toFixed(2)} V left.`,
})

const missedNotice = (name: string): Notice => ({
  title: `${name} does not call`,
  body: 'This display has missed three calls: its battery may be empty, or its Wi-Fi out of reach.',
})

// Once an hour. Returns how many were looked at.
export async function tellOfMissedDisplays(ctx: Context, tx: Writer, now: Instant, limit: number): Promise<number> {
  const displays = await listMissedDisplays(tx, now, limit)
  for (const display of displays) {
    await updateMissed(tx, display, await tellOfDisplay(ctx, tx, display, missedNotice(display.name), now))
  }
  return displays.length
}

const DAY_SECONDS = 86_400

// Returns when its owner was told last.
export async function tellOfDisplay(
  ctx: Context,
  tx: Writer,
  { userId, toldAt }: Told,
  notice: Notice,
  now: Instant,
): Promise<Instant | null> {
  const user = await findUser(tx, userId)
  const isTold = toldAt !== null && now < plusSeconds(toldAt, DAY_SECONDS)
  if (!user || isTold) return toldAt
  const sender: Sender = { userId, plan: ctx.config.plans.named(user.plan), keyId: null, holdsPushes: user.holdsPushes }
  const named = { source: 'heliograph', source_display_name: 'Heliograph' } as const
  const message = composeMessage(ctx, sender, { ...notice, ...named, level: 'passive' })
  const { pushes } = await storeMessage(tx, sender, { ...message, isFree: true }, now)
  await pushes.enqueue()
  return now
}

// Follows what a text says, for as long as its reader stays: writes it when it changes, by a request or by the clock.
import type { Caller } from '../../domain/caller.ts'
import { revocationTopic } from '../../store/accounts/tokens.ts'
import { feedTopic } from '../../store/events/feeds.ts'
import { requireStillValid } from '../authenticate.ts'
import type { Context } from '../context.ts'
import { createWakeup, POLL_MS } from '../wakeup.ts'

export type TextReader = {
  // What there is to see now, for a caller whose permissions may have changed. Throws if it sees it no longer.
  read(caller: Caller): Promise<string>
  // Called once, before the first text.
  begin(): void
  write(text: string): void
  gone: AbortSignal
}

const LEAST_MS = 1000
// A text that has not changed is written again this often: proxies close connections that are silent for a minute.
const REPEAT_MS = 30_000

// Returns when the reader leaves or the server stops; throws when its token is revoked.
export async function followText(ctx: Context, caller: Caller, reader: TextReader): Promise<void> {
  const wakeup = createWakeup(ctx, [feedTopic(caller.userId), revocationTopic(caller.userId)], reader.gone)
  try {
    let text = await reader.read(caller)
    const stream = await ctx.openStreams.open(caller, undefined, 0)
    try {
      reader.begin()
      let writtenAtMs = ctx.clock.monotonicMs()
      let written = text
      reader.write(text)
      for (;;) {
        const pauseMs = writtenAtMs + LEAST_MS - ctx.clock.monotonicMs()
        await wakeup.woken(pauseMs > 0 ? pauseMs : POLL_MS)
        if (reader.gone.aborted || ctx.stopping.aborted) return
        const current = await requireStillValid(ctx, caller)
        const nowMs = ctx.clock.monotonicMs()
        // Several changes within a second are one.
        if (nowMs < writtenAtMs + LEAST_MS) continue
        text = await reader.read(current)
        if (text === written && nowMs < writtenAtMs + REPEAT_MS) continue
        reader.write(text)
        written = text
        writtenAtMs = nowMs
      }
    } finally {
      await stream.close()
    }
  } finally {
    wakeup.end()
  }
}

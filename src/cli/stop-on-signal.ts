// Stops the service on SIGTERM or SIGINT: work in progress is finished, then the process exits with 0.
import type { Context } from '../operations/context.ts'

export type Running = { ctx: Context; worker: { start(): void }; stop(): Promise<void> }

// After the drain, a stop takes at most 9 s (boot/app.ts). A longer one hangs in the database and has failed.
const STOP_PATIENCE_MS = 9800

export function stopOnSignal(app: Running, first: () => Promise<void> = async () => {}): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    app.ctx.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), app.ctx.config.drainSeconds * 1000 + STOP_PATIENCE_MS).unref()
    await first().catch((error) => app.ctx.log.error({ err: error }, 'cannot stop a part'))
    await app.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

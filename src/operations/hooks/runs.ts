// Shows a run of CI as a live activity: created when it begins, ended when it is over.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { HookRun } from '../../domain/hooks/message.ts'
import { patchActivity } from '../activities/patch.ts'
import { putActivity } from '../activities/put.ts'
import type { Context } from '../context.ts'

// A run whose end is never reported ends as stale.
const STALE_SECONDS = 2 * 3600
const ENDED_SECONDS = 3600

// Returns why it cannot be shown, such as for want of a permission: the run is told by a notification then.
export async function showRun(ctx: Context, caller: Caller, run: HookRun): Promise<'shown' | { failed: string }> {
  const { slug, name, isOver, content } = run
  try {
    if (!isOver) {
      const settings = { slug, name, stale_ttl: STALE_SECONDS, ended_ttl: ENDED_SECONDS }
      await putActivity(ctx, caller, settings, 'commit')
    }
    const patch = { state: isOver ? 'ended' : 'ongoing', content }
    await patchActivity(ctx, caller, slug, { patch, upsert: false, mode: 'commit' })
    return 'shown'
  } catch (error) {
    if (error instanceof Problem) return { failed: error.detail }
    throw error
  }
}

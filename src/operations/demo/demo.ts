// The demonstration: starts it, plays its steps and removes everything again. Each step is written together with the
// job of the next step, so a restart continues it.
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import { DEMO_SCRIPT, type Demo, type DemoId, newDemo } from '../../domain/demo.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import type { Jobs } from '../../domain/jobs.ts'
import { requireKeyManager } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { deleteDemo, findDemoForUpdate, insertDemo, updateDemo } from '../../store/demo.ts'
import type { Writer } from '../../store/engine/database.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { playScenes, removeScenes } from './scenes.ts'

export async function runDemo(ctx: Context, caller: Caller, mode: Demo['mode']): Promise<Demo> {
  requireKeyManager(caller)
  const { userId } = caller
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const current = await findDemoForUpdate(tx, userId)
    const isRunning = current !== undefined && current.endsAt > now
    if (isRunning && current.mode === 'manual' && mode === 'manual') {
      await playStep(ctx, tx, current, now)
      return current
    }
    if (isRunning) throw demoConflict(current.endsAt - now)
    if (current) await finish(tx, current, now)
    const demo = newDemo({ id: newUuid() as DemoId, userId, mode }, now)
    await insertDemo(tx, demo)
    // A manual demonstration that is not continued ends by this job.
    if (mode === 'manual') await enqueueStep(tx, { ...demo, step: LAST_STEP }, demo.endsAt)
    await playStep(ctx, tx, demo, now)
    return demo
  })
}

// Plays the next step in the transaction that settles the job, so each step happens once.
export async function playDemo(ctx: JobContext, { payload }: Job<'play-demo'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => continueDemo(ctx, tx, payload, now) }
}

async function continueDemo(ctx: Context, tx: Writer, payload: Jobs['play-demo'], now: Instant): Promise<void> {
  const demo = await findDemoOfJob(tx, payload)
  if (!demo) return
  if (payload.step === LAST_STEP) await finish(tx, demo, now)
  else await playStep(ctx, tx, demo, now)
}

// A step failed for good: remove what the earlier steps have left on the devices.
export async function abandonDemo(tx: Writer, payload: Jobs['play-demo'], now: Instant): Promise<void> {
  const demo = await findDemoOfJob(tx, payload)
  if (demo) await finish(tx, demo, now)
}

// Undefined if the demonstration of the job has ended since.
async function findDemoOfJob(tx: Writer, { userId, id }: Jobs['play-demo']): Promise<Demo | undefined> {
  await lockUser(tx, userId)
  const demo = await findDemoForUpdate(tx, userId)
  return demo?.id === id ? demo : undefined
}

const LAST_STEP = DEMO_SCRIPT.length - 1

async function playStep(ctx: Context, tx: Writer, demo: Demo, now: Instant): Promise<void> {
  const step = DEMO_SCRIPT[demo.step]
  if (!step || demo.step === LAST_STEP) return finish(tx, demo, now)
  const played = { ...(await playScenes(ctx, tx, demo, step, now)), step: demo.step + 1 }
  await updateDemo(tx, played)
  const next = DEMO_SCRIPT[played.step]
  if (demo.mode === 'auto' && next) await enqueueStep(tx, played, plusSeconds(demo.startedAt, next.afterSeconds))
}

async function enqueueStep(tx: Writer, { userId, id, step }: Demo, runAt: Instant): Promise<void> {
  await enqueueJob(tx, { kind: 'play-demo', payload: { userId, id, step }, runAt })
}

async function finish(tx: Writer, demo: Demo, now: Instant): Promise<void> {
  await removeScenes(tx, demo, now)
  await deleteDemo(tx, demo)
}

const demoConflict = (leftMs: number) =>
  new Problem('demo.conflict', 'A demonstration is running; it ends by itself within two minutes, or ten if manual.', {
    retry_after_ms: leftMs,
  })

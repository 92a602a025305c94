// Renews the leases of jobs that run here, so that no other node claims them. Most jobs end before their first renewal and
// cost no statement.
import type { Context } from '../operations/context.ts'
import { type Job, type JobId, LEASE_SECONDS, renewLeases } from '../store/jobs.ts'

export type Leases = {
  hold(job: Job): void
  release(job: Job): void
  // Returns true if this job already runs here although its lease has lapsed. The run continues under the new claim, so the
  // job does not run twice.
  adopt(claimed: Job): boolean
}

// A third of the lease: one renewal may fail before the lease lapses.
export const RENEWAL_MS = (LEASE_SECONDS * 1000) / 3

type Held = { job: Job; sinceMs: number }

export function createLeases({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Leases {
  const held = new Map<JobId, Held>()
  let isScheduled = false

  // The timer is set again only after a renewal has ended, so renewals do not pile up if the database is slow or the clock
  // jumps.
  function schedule() {
    if (isScheduled || held.size === 0) return
    isScheduled = true
    clock.wakeAfter(RENEWAL_MS, () => void renewAndSchedule())
  }

  async function renewAndSchedule() {
    await renew().catch((error) => log.warn({ err: error }, 'cannot renew leases'))
    isScheduled = false
    schedule()
  }

  async function renew() {
    const bornBefore = clock.monotonicMs() - RENEWAL_MS
    const old = [...held.values()].filter(({ sinceMs }) => sinceMs <= bornBefore).map(({ job }) => job)
    if (old.length === 0) return
    const now = clock.now()
    await db.transact((tx) => renewLeases(tx, old, now))
  }

  return {
    hold(job) {
      held.set(job.id, { job, sinceMs: clock.monotonicMs() })
      schedule()
    },
    release: (job) => void held.delete(job.id),
    adopt(claimed) {
      const running = held.get(claimed.id)
      if (running) Object.assign(running.job, { attempt: claimed.attempt, failures: claimed.failures })
      return running !== undefined
    },
  }
}

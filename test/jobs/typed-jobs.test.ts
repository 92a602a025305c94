// What the compiler refuses about jobs. The checks are the @ts-expect-error lines, which `npm run check` compiles.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../src/domain/caller.ts'
import { instant } from '../../src/domain/instant.ts'
import { isJobKind, JOB_RETRY_SECONDS, type JobKind } from '../../src/domain/jobs.ts'
import type { NotificationId } from '../../src/domain/notifications/notification.ts'
import type { JobTypes } from '../../src/jobs/registry.ts'
import { JOB_TYPES } from '../../src/jobs/registry.ts'
import type { ClaimedJob } from '../../src/operations/context.ts'
import type { JobResult } from '../../src/operations/job-result.ts'
import type { Writer } from '../../src/store/engine/database.ts'
import type { enqueueJob, Job, NewJob } from '../../src/store/jobs.ts'

const userId = 'user' as UserId
const notificationId = 1 as NotificationId
const NOW = instant(1_800_000_000_000)

describe('does not compile', () => {
  test('a job of a kind that does not exist', () => {
    // @ts-expect-error
    const job: NewJob<'expire-reciept'> = { kind: 'expire-reciept', payload: {}, runAt: NOW }
    expect(isJobKind(job.kind)).toBe(false)
  })

  test('a payload that lacks a member of its kind, or has those of another kind', async () => {
    const enqueue: typeof enqueueJob = async () => {}
    const tx = undefined as unknown as Writer
    // @ts-expect-error
    await enqueue(tx, { kind: 'expire-receipt', payload: { userId }, runAt: NOW })
    // @ts-expect-error
    await enqueue(tx, { kind: 'send-email', payload: { userId, notificationId }, runAt: NOW })
    await enqueue(tx, { kind: 'expire-receipt', payload: { userId, notificationId }, runAt: NOW })
  })

  test('a registry that lacks a kind', () => {
    const { housekeeping: _, ...rest } = JOB_TYPES
    // @ts-expect-error
    const types: JobTypes = rest
    expect(Object.keys(types)).not.toContain('housekeeping')
  })

  test('an operation that is registered for a kind with another payload', () => {
    // @ts-expect-error
    const types: JobTypes = { ...JOB_TYPES, 'send-email': JOB_TYPES['expire-receipt'] }
    expect(types['send-email'].run).toBe(JOB_TYPES['expire-receipt'].run)
  })

  test('a result that changes the payload into one of another kind', () => {
    // @ts-expect-error
    const result: JobResult<'reload-widget'> = { again: NOW, payload: { userId, notificationId } }
    expect(result).toHaveProperty('again')
  })

  test('prepared data for a kind that takes none', () => {
    const job = { kind: 'send-email' } as Job<'send-email'>
    // @ts-expect-error
    const claimed: ClaimedJob<'send-email'> = { job, prepared: { unread: 1 } }
    expect(claimed.job).toBe(job)
  })
})

test('every kind is registered and has retry delays', () => {
  const kinds: JobKind[] = Object.keys(JOB_RETRY_SECONDS).filter(isJobKind)
  expect(Object.keys(JOB_TYPES).sort()).toEqual(kinds.sort())
})

test('names of object members are no kinds', () => {
  expect(['constructor', '__proto__', 'toString', ''].filter(isJobKind)).toEqual([])
})

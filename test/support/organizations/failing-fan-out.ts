// A send to many members whose fan-out fails in ways that the test says.
import { expect } from 'vitest'
import type { TestApp } from '../app.ts'
import type { Statement } from '../database/broken-statements.ts'
import { createOrganization, type TestOrganization } from './organization.ts'
import { addMembers, addOrgKey, countEntries } from './sends.ts'

export type ManySend = {
  org: TestOrganization
  id: number
  // As the sender sees it.
  recipients(): Promise<{ stored: number; done: boolean }>
}

// In the request; the fan-out then writes 20 a step.
const STORED_AT_ONCE = 100
const MEMBERS_PER_STEP = 20
// So that a transaction stays within its time.
const ADDED_AT_ONCE = 500

export const stepsFor = (members: number) => Math.ceil((members - STORED_AT_ONCE) / MEMBERS_PER_STEP)

// The members are the owner, an admin and others without a device.
export async function sendToMany(app: TestApp, members: number): Promise<ManySend> {
  const org = await createOrganization(app, 0)
  const key = await addOrgKey(app, org)
  for (let left = members - 2; left > 0; left -= ADDED_AT_ONCE) {
    await addMembers(app.app.ctx.db, org.id, Math.min(left, ADDED_AT_ONCE), app.clock.now())
  }
  const { status, body } = await app.post('/notifications', { title: 'Fire', body: 'in the server room' }, key.key)
  expect([status, body.recipients]).toMatchObject([201, { members, stored: STORED_AT_ONCE, done: false }])
  return {
    org,
    id: body.id,
    recipients: async () => (await app.get(`/notifications/${body.id}`, key.key)).body.recipients,
  }
}

export async function expectOneEntryEach(app: TestApp, { id, recipients }: ManySend, members: number): Promise<void> {
  expect(await recipients()).toMatchObject({ members, stored: members, done: true })
  const counts = await countEntries(app.app.ctx.db, id)
  expect([counts.size, ...new Set(counts.values())]).toEqual([members, 1])
}

const FIRST_READ_OF_A_STEP = 'from org_recipients'
// The first statement of the transaction belongs to the job; the transaction that postpones a failed job has no other.
const SECOND = 2
const STATEMENTS_TRIED = 8

// The first run of every step fails, each at another statement than the one before. SQLite runs a failed transaction once
// more, which fails as well. `failedRuns` has the numbers of the runs that failed.
export function failEveryStepOnce(): { isBroken: (statement: Statement) => boolean; failedRuns: Set<number> } {
  const failedRuns = new Set<number>()
  let runs = 0
  let brokenNth = 0
  return {
    failedRuns,
    isBroken({ text, nth }) {
      if (nth === 0 && text.includes(FIRST_READ_OF_A_STEP)) {
        const isFirst = runs % 2 === 0
        runs += 1
        brokenNth = isFirst ? SECOND + (failedRuns.size % STATEMENTS_TRIED) : 0
      }
      if (nth === 0 || nth !== brokenNth) return false
      failedRuns.add(runs)
      return true
    },
  }
}

// Runs due jobs at every second.
export async function runForSeconds(app: TestApp, seconds: number): Promise<void> {
  for (let second = 0; second <= seconds; second++) {
    await app.runDueJobs()
    app.advanceSeconds(1)
  }
}

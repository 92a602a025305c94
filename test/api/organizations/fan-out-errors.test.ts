// A fan-out whose statements fail: everyone gets the notification once, soon after the errors end, and meanwhile operators
// see that it is late.
import { expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp } from '../../support/app.ts'
import { breakStatements } from '../../support/database/broken-statements.ts'
import { scrape } from '../../support/metrics.ts'
import {
  expectOneEntryEach,
  failEveryStepOnce,
  runForSeconds,
  sendToMany,
  stepsFor,
} from '../../support/organizations/failing-fan-out.ts'
import { countEntries } from '../../support/organizations/sends.ts'

const MEMBERS = 300

async function start() {
  const app = await startTestApp({ HELIOGRAPH_METRICS_PORT: '0' })
  onTestFinished(() => app.stop())
  return app
}

test(`R01 every step of a send to ${MEMBERS} members fails once: all have it within a second per error, and none twice`, async () => {
  const app = await start()
  const send = await sendToMany(app, MEMBERS)
  const { isBroken, failedRuns } = failEveryStepOnce()
  breakStatements(app.app.ctx.db, isBroken)
  await runForSeconds(app, stepsFor(MEMBERS))
  expect(failedRuns.size).toBe(stepsFor(MEMBERS))
  await expectOneEntryEach(app, send, MEMBERS)
})

test(`every step of the recall of a send to ${MEMBERS} members fails once: nobody has it a second per error later`, async () => {
  const app = await start()
  const { db } = app.app.ctx
  const { id, org } = await sendToMany(app, MEMBERS)
  await app.runDueJobs()
  expect((await countEntries(db, id)).size).toBe(MEMBERS)
  expect((await app.del(`${org.path}/notifications/${id}`, org.owner.token)).status).toBe(204)
  const { isBroken, failedRuns } = failEveryStepOnce()
  breakStatements(db, isBroken)
  const steps = MEMBERS / LIMITS.organization.membersPerStep
  await runForSeconds(app, steps)
  expect(failedRuns.size).toBe(steps)
  expect((await countEntries(db, id)).size).toBe(0)
})

test('while it fails, /ready is 200 with its lateness, and so has a metric although no job is due', async () => {
  const app = await start()
  const send = await sendToMany(app, 150)
  let isDown = true
  breakStatements(app.app.ctx.db, ({ text }) => isDown && text.includes('update org_recipients'))
  const readLateness = async () => {
    const [{ status, body }, metrics] = [await app.get('/ready'), await scrape(app.app)]
    const kind = { kind: 'spread-notification' }
    const [fanOut, due] = ['fan_out', 'jobs'].map((what) => metrics.value(`heliograph_${what}_lateness_seconds`, kind))
    return { status, body, fanOut, due }
  }
  await runForSeconds(app, 58)
  expect(await readLateness()).toEqual({ status: 200, body: { status: 'ready' }, fanOut: 59, due: 0 })
  await runForSeconds(app, 60)
  const late = { status: 'ready', fan_out_lateness_seconds: 120 }
  expect(await readLateness()).toEqual({ status: 200, body: late, fanOut: 120, due: 0 })
  expect(await send.recipients()).toMatchObject({ stored: 100, done: false })

  isDown = false
  await runForSeconds(app, 60)
  await expectOneEntryEach(app, send, 150)
  expect(await readLateness()).toEqual({ status: 200, body: { status: 'ready' }, fanOut: 0, due: 0 })
})

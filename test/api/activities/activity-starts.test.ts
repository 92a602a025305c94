// A start is pushed once per run and device, also while changes, retries and other nodes push at the same time.
import { beforeEach, expect, test } from 'vitest'
import { plusSeconds } from '../../../src/domain/instant.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { eventually } from '../../support/eventually.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'

const app = usePushApp()
let user: TestUser
let phone: ActivityPhone
beforeEach(async () => {
  user = await app.addUser()
  phone = await addActivityPhone(app, { app, user })
})

const patch = (body: object, slug = 'build') => app.patch(`/activities/${slug}?upsert=true`, body, user.token)
const starts = () => app.apns.requests.filter(({ token }) => token === phone.startToken)

test('a start that is refused for good can be made by the next change', async () => {
  app.apns.script(phone.startToken, { status: 400, reason: 'BadTopic' })
  await patch({ state: 'ongoing', content: { state: '1' } })
  await app.runDueJobs()
  await patch({ content: { state: '2' } })
  await app.runDueJobs()
  expect(phone.pushes(phone.startToken).map(({ aps }) => aps['content-state'].state)).toEqual(['2'])
})

test('a change while the start push is under way does not start the activity a second time', async () => {
  await patch({ state: 'ongoing' }, 'warm')
  await app.runDueJobs()
  app.apns.script(phone.startToken, 'silence')
  await patch({ state: 'ongoing', content: { state: '1' } })
  app.app.worker.start()
  await app.apns.until(() => starts().length === 2)
  await patch({ content: { state: '2' } })
  const waitsForTheStart = sql`select id from jobs where kind = 'push-activity' and attempt = 1
    and run_at = ${plusSeconds(app.clock.now(), 1)} and payload like ${`%${user.userId}%`}`
  await eventually(async () => expect(await app.app.ctx.db.read.all(waitsForTheStart)).toHaveLength(1))
  expect(starts()).toHaveLength(2)
})

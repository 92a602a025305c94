// The ticket that answers a shared approval without a token: only in pushes to those who may answer, and only while they may.
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { addActivity, share } from '../../support/shares.ts'

const app = usePushApp()
let owner: TestUser
let viewer: TestUser
let editor: TestUser
let editing: { id: string }
beforeEach(async () => {
  ;[owner, viewer, editor] = [await app.addUser(), await app.addUser(), await app.addUser()]
  await addActivity(app, owner, 'deploy')
  await share(app, { owner, recipient: viewer, what: 'deploy' })
  editing = await share(app, { owner, recipient: editor, what: 'deploy', role: 'editor' })
})

const phoneOf = (user: TestUser) => addActivityPhone(app, { app, user })
const answer = (ticket: unknown, option = 'yes') => app.post(`/answers/${ticket}`, { option })
const ticketOf = (phone: ActivityPhone) => phone.pushes().at(-1)?.aps['content-state'].answer_ticket

async function ask(): Promise<void> {
  const options = ['yes', 'no'].map((id) => ({ id, title: id }))
  const body = { state: 'ongoing', content: { template: 'approval', options } }
  expect((await app.patch('/activities/deploy', body, owner.token)).status).toBe(200)
  await app.runDueJobs()
}

test('12 is pushed to the owner and to editors, not to viewers; an editor’s answers for the owner', async () => {
  const [own, viewing, edited] = [await phoneOf(owner), await phoneOf(viewer), await phoneOf(editor)]
  await ask()
  for (const phone of [own, viewing, edited]) expect(phone.pushes()).toHaveLength(1)
  expect(ticketOf(viewing)).toBeUndefined()
  expect(JSON.stringify(viewing.pushes())).not.toContain('ticket')
  expect(ticketOf(own)).toEqual(expect.any(String))
  expect((await answer(ticketOf(edited))).status).toBe(200)
  const { state, content } = (await app.get('/activities/deploy', owner.token)).body
  expect([state, content.answer]).toEqual(['ended', expect.objectContaining({ option: 'yes', by: 'user' })])
  expectProblem(await answer(ticketOf(own), 'no'), 409, 'notification_answer.already_answered')
})

test('in browsers too', async () => {
  const browsers = [await addBrowser(app, { app, user: viewer }), await addBrowser(app, { app, user: editor })]
  await ask()
  const tickets = await Promise.all(browsers.map(async (browser) => (await browser.pushes()).at(-1)?.answer_ticket))
  expect(tickets[0]).toBeUndefined()
  expect((await answer(tickets[1], 'no')).body.content.answer.option).toBe('no')
})

test('is not pushed to an editor whose plan became free', async () => {
  const phone = await phoneOf(editor)
  await app.setPlan(editor, 'free')
  await ask()
  expect(phone.pushes()).toHaveLength(1)
  expect(ticketOf(phone)).toBeUndefined()
})

describe('404 notification_answer.not_found for the ticket of an editor who', () => {
  const STOPS: Record<string, () => Promise<unknown>> = {
    'was lowered': () => app.patch(`/shares/${editing.id}`, { role: 'viewer' }, owner.token),
    'was removed': () => app.del(`/shares/${editing.id}`, owner.token),
    left: () => app.del(`/shares/${editing.id}`, editor.token),
    'became free': () => app.setPlan(editor, 'free'),
  }

  test.each(Object.keys(STOPS))('%s, while the owner’s still answers', async (how) => {
    const [own, edited] = [await phoneOf(owner), await phoneOf(editor)]
    await ask()
    const [owners, editors] = [ticketOf(own), ticketOf(edited)]
    expect(editors).toEqual(expect.any(String))
    await STOPS[how]!()
    expectProblem(await answer(editors), 404, 'notification_answer.not_found')
    expect((await app.get('/activities/deploy', owner.token)).body.state).toBe('ongoing')
    expect((await answer(owners, 'no')).body.content.answer.option).toBe('no')
  })
})

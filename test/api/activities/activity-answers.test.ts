// Answering an approval, by token and by ticket, and snoozing a countdown.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/domain/activities/activity.ts'
import { makeApprovalTicket } from '../../../src/domain/answers/answer-ticket.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'
import { useTestNodes } from '../../support/nodes.ts'

const clock = createWatchedClock()
const app = {} as TestApp
let user: TestUser
beforeAll(async () => {
  Object.assign(app, await startTestApp({}, undefined, { clock }))
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.addUser()
})

const options = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
]
const ask = async (content: object = {}) =>
  (
    await app.patch(
      '/activities/deploy?upsert=true',
      { state: 'ongoing', content: { template: 'approval', options, ...content } },
      user.token,
    )
  ).body
const answer = (option: string, token = user.token) => app.post('/activities/deploy/answer', { option }, token)
const ticketOf = ({ id, content }: { id: string; content: { answer_round: number } }) =>
  makeApprovalTicket(app.app.ctx.signingKey, { activityId: id as ActivityId, round: content.answer_round })
const seconds = () => Math.floor(app.clock.now() / 1000)

describe('POST /activities/:slug/answer', () => {
  test('200 the first answer is recorded and ends the activity, without using up quota', async () => {
    await ask()
    const answered = await answer('yes')
    expect(answered.status).toBe(200)
    expect(answered.body).toMatchObject({
      state: 'ended',
      content: { answer: { option: 'yes', by: 'user', at: seconds() }, answer_round: 1 },
    })
    expect(answered.body.content.answer).not.toHaveProperty('user_id')
    expect((await app.get('/auth/me', user.token)).body.live_activity_updates_used).toBe(1)
  })

  test('200 an identical re-send keeps the answer, pushes nothing and costs nothing', async () => {
    await ask({ state: 'Ship v2?' })
    await answer('yes')
    const used = async () => (await app.get('/auth/me', user.token)).body.live_activity_updates_used
    const before = await used()
    const kept = { state: 'ended', content: { answer: { option: 'yes' }, answer_round: 1 } }
    expect(await ask({ state: 'Ship v2?' })).toMatchObject(kept)
    // A refresh that moves the end, and a late request to start it.
    expect(await ask({ state: 'Ship v2?', end_date: seconds() + 600 })).toMatchObject(kept)
    expect((await app.patch('/activities/deploy', { state: 'ongoing' }, user.token)).body).toMatchObject(kept)
    expect((await app.get('/activities/deploy?wait=25', user.token)).body).toMatchObject(kept)
    expect(await used()).toBe(before)
  })

  test.each([
    ['other options', { options: [...options, { id: 'later', title: 'Later' }].map((one) => ({ ...one, icon: 'a' })) }],
    ['another text', { state: 'Ship v3?' }],
    ['other details', { details: [{ label: 'Commit', value: '4f1c9ab' }] }],
    ['answer null', { answer: null }],
  ])('200 with %s it is a new question', async (_name, changed) => {
    await ask({ state: 'Ship v2?' })
    await answer('yes')
    const asked = await ask({ state: 'Ship v2?', ...changed })
    expect(asked).toMatchObject({ state: 'ongoing', content: { answer_round: 2 } })
    expect(asked.content).not.toHaveProperty('answer')
    expect((await answer('no')).body.content.answer.option).toBe('no')
  })

  test('404 notification_answer.not_found for another template and for an ended approval', async () => {
    await app.patch('/activities/deploy?upsert=true', { state: 'ongoing' }, user.token)
    expectProblem(await answer('yes'), 404, 'notification_answer.not_found')
    await ask()
    await app.patch('/activities/deploy', { state: 'ended' }, user.token)
    expectProblem(await answer('yes'), 404, 'notification_answer.not_found')
  })

  test('404 activity.not_found, 400 slug.invalid', async () => {
    expectProblem(await answer('yes'), 404, 'activity.not_found')
    expectProblem(await app.post('/activities/-x/answer', { option: 'a' }, user.token), 400, 'slug.invalid')
  })

  test('409 notification_answer.already_answered, with the recorded answer', async () => {
    await ask()
    await answer('yes')
    const refused = await answer('no')
    expectProblem(refused, 409, 'notification_answer.already_answered')
    expect(refused.body.answer).toMatchObject({ option: 'yes', by: 'user' })
  })

  test('422 notification_answer.action_unknown for an unknown option, and for one with a url', async () => {
    await ask({ options: [...options.slice(0, 1), { id: 'web', title: 'Web', url: 'https://example.org' }] })
    for (const option of ['maybe', 'web'])
      expectProblem(await answer(option), 422, 'notification_answer.action_unknown')
    expect((await app.get('/activities/deploy', user.token)).body.state).toBe('ongoing')
  })

  test('422 request.validation_failed without an option', async () => {
    await ask()
    const refused = await app.post('/activities/deploy/answer', { action_id: 'yes' }, user.token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused).sort()).toEqual(['body.action_id', 'body.option'])
  })
})

describe('POST /answers/:ticket', () => {
  test('200 with the ticket of the round, without a token', async () => {
    const answered = await app.post(`/answers/${ticketOf(await ask())}`, { option: 'no' })
    expect([answered.status, answered.body.state, answered.body.content.answer.option]).toEqual([200, 'ended', 'no'])
  })

  test('404 notification_answer.not_found for a ticket of an earlier round, of a deleted activity, and a forged one', async () => {
    const first = await ask()
    await ask({ options: [...options, { id: 'x', title: 'X' }].map((option) => ({ ...option, icon: 'i' })) })
    const old = ticketOf(first)
    const forged = `${old.slice(0, -1)}${old.endsWith('A') ? 'B' : 'A'}`
    for (const ticket of [old, forged]) {
      expectProblem(
        await app.post(`/answers/${ticket}`, { option: 'yes', action_id: 'yes' }),
        404,
        'notification_answer.not_found',
      )
    }
    await app.del('/activities/deploy', user.token)
    expectProblem(await app.post(`/answers/${old}`, { option: 'yes' }), 404, 'notification_answer.not_found')
  })

  test('409 notification_answer.already_answered', async () => {
    const ticket = ticketOf(await ask())
    await answer('yes')
    expectProblem(await app.post(`/answers/${ticket}`, { option: 'no' }), 409, 'notification_answer.already_answered')
  })

  test('422 an approval requires option, a notification requires action_id', async () => {
    const refused = await app.post(`/answers/${ticketOf(await ask())}`, { action_id: 'yes' })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['body.option'])
    expect(locations(await app.post('/answers/none', { option: 'yes' }))).toEqual(['body.action_id'])
  })
})

describe('GET /activities/:slug?wait', () => {
  const wait = (slug = 'deploy') => app.get(`/activities/${slug}?wait=25`, user.token)

  test('200 is held until the answer, without a poll', async () => {
    await ask()
    const alarms = clock.alarmsMs.length
    const held = wait()
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(alarms))
    await answer('yes')
    expect((await held).body.content.answer.option).toBe('yes')
  })

  test('200 is held until the approval expires', async () => {
    await ask({ end_date: seconds() + 10, on_expire: 'no' })
    const alarms = clock.alarmsMs.length
    const held = wait()
    await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(alarms))
    app.advanceSeconds(10)
    await app.runDueJobs()
    expect((await held).body.content.answer).toMatchObject({ option: 'no', by: 'expired' })
  })

  test('200 is not held when there is nothing to wait for', async () => {
    await ask()
    await answer('no')
    expect((await wait()).body.content.answer.option).toBe('no')
    await app.patch('/activities/plain?upsert=true', { state: 'ongoing' }, user.token)
    expect((await wait('plain')).body.state).toBe('ongoing')
    await ask({ state: 'Another one?' })
    await app.patch('/activities/deploy', { state: 'ended' }, user.token)
    const { body } = await wait()
    expect([body.state, body.content.answer]).toEqual(['ended', undefined])
  })
})

describe('POST /activities/:slug/snooze', () => {
  const snooze = () => app.post('/activities/tea/snooze', undefined, user.token)
  const start = (content: object) =>
    app.patch(
      '/activities/tea?upsert=true',
      { state: 'ongoing', content: { template: 'countdown', duration: 600, ...content } },
      user.token,
    )

  test('200 moves the end, by five minutes by default, and returns the new end', async () => {
    const { end_date } = (await start({})).body.content
    expect((await snooze()).body.content).toMatchObject({ end_date: end_date + 300, snoozed_until: end_date + 300 })
    await start({ snooze_seconds: 60 })
    const again = (await snooze()).body.content
    expect(again.end_date - seconds()).toBe(660)
  })

  test('400 activity.state_invalid for anything but an ongoing countdown', async () => {
    await start({})
    await app.patch('/activities/tea', { state: 'ended' }, user.token)
    expectProblem(await snooze(), 400, 'activity.state_invalid')
    await app.patch('/activities/tea', { state: 'ongoing', content: { template: 'generic' } }, user.token)
    expectProblem(await snooze(), 400, 'activity.state_invalid')
  })

  test('404 activity.not_found', async () => {
    expectProblem(await snooze(), 404, 'activity.not_found')
  })
})

describe('concurrent answers', () => {
  const nodes = useTestNodes()

  test('R30: of 30 answers on all nodes exactly one is recorded, and all others are shown it', async () => {
    const { token } = await nodes.first.addUser()
    const body = { state: 'ongoing', content: { template: 'approval', options } }
    await nodes.first.patch('/activities/deploy?upsert=true', body, token)
    const answers = await nodes.atOnce(30, (node, index) =>
      node.post('/activities/deploy/answer', { option: index % 2 ? 'yes' : 'no' }, token),
    )
    const [first, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    const { option } = first?.body.content.answer ?? {}
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused.map(({ body }) => body.answer.option)).toEqual(Array(29).fill(option))
  })
})

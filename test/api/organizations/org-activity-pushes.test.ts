// Which devices show an activity of an organization: those that the target reaches start it, and dismiss it when it does not
// reach them any more, whatever has changed.
import { beforeEach, describe, expect, test } from 'vitest'
import { putMember, requireOrganization, requirePerson } from '../../../src/operations/organizations/operate.ts'
import type { TestUser } from '../../support/app.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { addBrowser } from '../../support/devices/phone.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import { invite } from '../../support/organizations/organization.ts'
import {
  addTag,
  bodyOf,
  createShowingOrganization,
  type ShowingOrganization,
  showing,
  startActivity,
} from '../../support/organizations/showing-organization.ts'

const app = usePushApp()
let org: ShowingOrganization
let one: ActivityPhone
let third: ActivityPhone
beforeEach(async () => {
  org = await createShowingOrganization(app)
  one = await addActivityPhone(app, { app, user: org.m1 })
  third = await addActivityPhone(app, { app, user: org.m3 })
})

const patch = (body: object, token = org.key) => app.patch('/activities/deploy', body, token)

// A change and the pushes that it causes.
async function change(body: object): Promise<void> {
  bodyOf(await patch(body), 200)
  await app.runDueJobs()
}

async function start(target?: object): Promise<void> {
  await startActivity(app, org.key, 'deploy', target)
  await app.runDueJobs()
}

async function startAndShow(target?: object, phone = one): Promise<void> {
  await start(target)
  await phone.show('deploy')
}

const asOwner = async (method: 'put' | 'del', what: string) => {
  const [path, { token }] = [`${org.path}${what}`, org.owner]
  bodyOf(await (method === 'put' ? app.put(path, undefined, token) : app.del(path, token)), 204)
  await app.runDueJobs()
}

test('are started, updated and ended where the target reaches, and nowhere else', async () => {
  await startAndShow({ groups: ['ops'] })
  await change(showing('2'))
  await change({ state: 'ended', content: { state: 'Done' } })
  expect(one.words()).toEqual(['start 1', 'update 2', 'end Done'])
  expect(third.words()).toEqual([])
})

test('browsers too', async () => {
  const browsers = [await addBrowser(app, { app, user: org.m1 }), await addBrowser(app, { app, user: org.m3 })] as const
  const counts = async () => Promise.all(browsers.map(async (browser) => (await browser.pushes()).length))
  await start({ groups: ['ops'] })
  expect(await counts()).toEqual([1, 0])
  await change({ target: { groups: ['sre'] } })
  expect(await counts()).toEqual([2, 1])
  await change(showing('2'))
  expect(await counts()).toEqual([2, 2])
})

describe('a new target', () => {
  test('ends it on devices that lose it and starts it on those that gain it; back again likewise', async () => {
    await startAndShow({ groups: ['ops'] })
    await change({ target: { groups: ['sre'] } })
    expect([one.words(), third.words()]).toEqual([['start 1', 'end 1'], ['start 1']])
    await third.show('deploy')
    await change(showing('2'))
    expect([one.words(), third.words()]).toEqual([
      ['start 1', 'end 1'],
      ['start 1', 'update 2'],
    ])
    await change({ target: { groups: ['ops'] } })
    expect([one.words().at(-1), third.words().at(-1)]).toEqual(['start 2', 'end 2'])
  })

  test('by POST as well', async () => {
    await startAndShow({ groups: ['ops'] })
    bodyOf(await app.post('/activities', { slug: 'deploy', name: 'D', target: { groups: ['sre'] } }, org.key), 201)
    await app.runDueJobs()
    expect([one.words(), third.words()]).toEqual([['start 1', 'end 1'], ['start 1']])
  })

  test('reaches a device whose token arrives only after it has lost the activity', async () => {
    await start({ groups: ['ops'] })
    await change({ target: { groups: ['sre'] } })
    expect(one.words()).toEqual(['start 1'])
    await one.show('deploy')
    await app.runDueJobs()
    expect(one.words()).toEqual(['start 1', 'end'])
  })

  test('is the last word: a push that was waiting for a lost device is not sent', async () => {
    await startAndShow({ groups: ['ops'] })
    bodyOf(await patch(showing('2')), 200)
    bodyOf(await patch({ target: { groups: ['sre'] } }), 200)
    await app.runDueJobs()
    expect(one.words().at(-1)).toMatch(/^end/)
    expect(one.words()).toHaveLength(2)
  })
})

describe('members', () => {
  test('who join start it; who leave or are removed end it', async () => {
    await startAndShow()
    await asOwner('del', `/members/${org.m1.userId}`)
    expect(one.words()).toEqual(['start 1', 'end 1'])
    await change(showing('2'))
    expect(one.words()).toHaveLength(2)
    const code = await invite(app, org)
    bodyOf(await app.post('/orgs/join', { code }, org.m1.token), 201)
    await app.runDueJobs()
    expect(one.words().at(-1)).toBe('start 2')
  })

  test('who enter a group start it; who leave it, or whose group is deleted, end it', async () => {
    await startAndShow({ groups: ['ops'] })
    await asOwner('del', `/groups/${org.ops}/members/${org.m1.userId}`)
    await asOwner('put', `/groups/${org.ops}/members/${org.m3.userId}`)
    expect([one.words(), third.words()]).toEqual([['start 1', 'end 1'], ['start 1']])
    await third.show('deploy')
    const user_ids = [org.m1.userId]
    bodyOf(await app.put(`${org.path}/groups/${org.ops}/members`, { user_ids }, org.owner.token), 200)
    await app.runDueJobs()
    expect([one.words().at(-1), third.words().at(-1)]).toEqual(['start 1', 'end 1'])
    await one.show('deploy')
    await asOwner('del', `/groups/${org.ops}?force=true`)
    expect(one.words().at(-1)).toBe('end 1')
  })

  test('whom the operator adds to a group start it, and are told', async () => {
    await startAndShow({ groups: ['ops'] })
    const { ctx } = app.app
    const named = [await requireOrganization(ctx, org.id), await requirePerson(ctx, org.m3.userId)] as const
    const stream = await openEvents(app.url, org.m3.token)
    await putMember(ctx, ...named, { role: 'member', groups: ['ops'] })
    await app.runDueJobs()
    expect(third.words()).toEqual(['start 1'])
    await eventually(() => expect(stream.types()).toEqual(['org.updated', 'activity.updated']))
    stream.close()
  })

  test('stay started if another group of the target still has them', async () => {
    const second = await addActivityPhone(app, { app, user: org.m2 })
    await startAndShow({ groups: ['ops', 'sre'] }, second)
    await asOwner('del', `/groups/${org.ops}/members/${org.m2.userId}`)
    expect(second.words()).toEqual(['start 1'])
  })

  test('who mute end it; it starts at the next change after the mute, or when they unmute', async () => {
    await startAndShow()
    const mute = (muted_until: string | null) => app.patch(`${org.path}/members/me`, { muted_until }, org.m1.token)
    bodyOf(await mute(new Date(app.clock.now() + 60_000).toISOString()), 200)
    await app.runDueJobs()
    await change(showing('2'))
    expect(one.words()).toEqual(['start 1', 'end 1'])
    app.advanceSeconds(61)
    await change(showing('3'))
    expect(one.words().at(-1)).toBe('start 3')
    await one.show('deploy')
    bodyOf(await mute(new Date(app.clock.now() + 60_000).toISOString()), 200)
    await app.runDueJobs()
    bodyOf(await mute(null), 200)
    await app.runDueJobs()
    expect(one.words().slice(-2)).toEqual(['end 3', 'start 3'])
  })
})

describe('tags', () => {
  const retag = async (phone: ActivityPhone, { token }: TestUser, tags: string[]) => {
    bodyOf(await app.patch(`/devices/${phone.id}`, { tags }, token), 200)
    await app.runDueJobs()
  }

  test('show it on the devices that carry one, and not on others of the same person', async () => {
    await addTag(app, org, 'wall')
    const panel = await addActivityPhone(app, { app, user: org.m1 })
    await retag(panel, org.m1, ['wall', 'kitchen'])
    await startAndShow({ tags: ['wall'] }, panel)
    expect([panel.words(), one.words()]).toEqual([['start 1'], []])
    await retag(one, org.m1, ['wall'])
    await retag(panel, org.m1, ['kitchen'])
    expect([panel.words(), one.words()]).toEqual([['start 1', 'end 1'], ['start 1']])
  })

  test('one tag in the place of another ends it', async () => {
    await addTag(app, org, 'wall')
    await retag(one, org.m1, ['wall'])
    await startAndShow({ tags: ['wall'] }, one)
    await retag(one, org.m1, ['kitchen'])
    expect(one.words()).toEqual(['start 1', 'end 1'])
  })

  test('a deleted tag ends it', async () => {
    const tag = await addTag(app, org, 'wall')
    await retag(one, org.m1, ['wall'])
    await startAndShow({ tags: ['wall'] })
    await asOwner('del', `/tags/${tag}?force=true`)
    expect(one.words()).toEqual(['start 1', 'end 1'])
  })

  test('a device that loses the tag before its token arrives ends it then', async () => {
    await addTag(app, org, 'wall')
    const panel = await addActivityPhone(app, { app, user: org.m1 })
    for (const phone of [one, panel]) await retag(phone, org.m1, ['wall'])
    await start({ tags: ['wall'] })
    await retag(panel, org.m1, [])
    await panel.show('deploy')
    await app.runDueJobs()
    expect(panel.words()).toEqual(['start 1', 'end'])
  })
})

describe('an approval', () => {
  const ask = async () => {
    const options = ['yes', 'no'].map((id) => ({ id, title: id }))
    bodyOf(await app.post('/activities', { slug: 'deploy', name: 'Deploy', target: { groups: ['ops'] } }, org.key), 201)
    await change({ state: 'ongoing', content: { template: 'approval', options } })
  }
  const ticketOf = (phone: ActivityPhone) => phone.pushes().at(-1)?.aps['content-state'].answer_ticket
  const answer = (ticket: unknown) => app.post(`/answers/${ticket}`, { option: 'yes' })

  test('carries a ticket to every reached member, which names who answers; the first wins', async () => {
    const second = await addActivityPhone(app, { app, user: org.m2 })
    await ask()
    bodyOf(await answer(ticketOf(second)), 200)
    const { content } = (await app.get('/activities/deploy', org.key)).body
    expect(content.answer).toMatchObject({ option: 'yes', user_id: org.m2.userId })
    expectProblem(await answer(ticketOf(one)), 409, 'notification_answer.already_answered')
  })

  test('cannot be answered by the ticket of someone who has been removed, or left the target', async () => {
    await ask()
    const ticket = ticketOf(one)
    await asOwner('del', `/groups/${org.ops}/members/${org.m1.userId}`)
    expectProblem(await answer(ticket), 404, 'notification_answer.not_found')
    await asOwner('put', `/groups/${org.ops}/members/${org.m1.userId}`)
    await asOwner('del', `/members/${org.m1.userId}`)
    expectProblem(await answer(ticket), 404, 'notification_answer.not_found')
  })
})

test('deleting the activity, or the organization, ends it everywhere', async () => {
  await startAndShow()
  await third.show('deploy')
  bodyOf(await app.del('/activities/deploy', org.key), 204)
  await app.runDueJobs()
  expect([one.words(), third.words()]).toEqual([
    ['start 1', 'end 1'],
    ['start 1', 'end 1'],
  ])
  await start()
  await one.show('deploy')
  bodyOf(await app.del(org.path, org.owner.token), 204)
  while ((await app.runDueJobs()) > 0);
  expect(one.words().slice(-2)).toEqual(['start 1', 'end 1'])
})

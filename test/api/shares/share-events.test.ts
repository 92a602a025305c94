// What the owner of a shared activity and its recipients read from GET /events.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { type EventReader, openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { addActivity, addCode, join, share } from '../../support/shares.ts'

const app = useTestApp()
let owner: TestUser
let recipient: TestUser
beforeEach(async () => {
  ;[owner, recipient] = [await app.addUser(), await app.addUser()]
})

type News = [type: string, data: unknown]
type Follower = { user: TestUser; events: EventReader }

const follow = async (user: TestUser, lastEventId?: number): Promise<Follower> => ({
  user,
  events: await openEvents(app.url, user.token, lastEventId),
})

// All events so far of types that begin with `prefix`. A widget is created last; its event ends the wait.
async function newsOf({ user, events }: Follower, prefix: string): Promise<News[]> {
  const slug = `fence-${events.events.length}`
  await app.post('/widgets', { slug, name: 'Fence', content: { template: 'value' } }, user.token)
  await eventually(() => expect(events.events.at(-1)?.data.data).toEqual({ slug }))
  events.close()
  return events.events.filter(({ event }) => event.startsWith(prefix)).map(({ event, data }) => [event, data.data])
}

const read = async ({ token }: TestUser, name = 'build') => (await app.get(`/activities/${name}`, token)).body
const patch = (body: object, { token } = owner) => app.patch('/activities/build', body, token)
const showing = (state: string) => ({ state: 'ongoing', content: { state } })
const receive = (what = 'build') => share(app, { owner, recipient, what })

describe('share.*', () => {
  test.each(['build', 'b*'])('a join, a change of role and an end on %s are in both feeds, in order', async (what) => {
    await addActivity(app, owner, 'build')
    const followers = [await follow(owner), await follow(recipient)] as const
    const { id } = await receive(what)
    // The second change changes nothing.
    for (let n = 0; n < 2; n++) await app.patch(`/shares/${id}`, { role: 'editor' }, owner.token)
    await app.del(`/shares/${id}`, recipient.token)
    const about = { id, ...(what === 'build' ? { slug: what } : { slug_pattern: what }) }
    for (const [follower, direction] of [
      [followers[0], 'given'],
      [followers[1], 'received'],
    ] as const) {
      expect(await newsOf(follower, 'share.')).toEqual([
        ['share.created', { ...about, direction, role: 'viewer' }],
        ['share.updated', { ...about, direction, role: 'editor' }],
        ['share.deleted', { ...about, direction, role: 'editor' }],
      ])
    }
  })

  test('a second join that raises the role is an update; one that changes nothing has no event', async () => {
    await addActivity(app, owner, 'build')
    const { id } = await receive()
    const followers = [await follow(owner), await follow(recipient)] as const
    for (const role of ['viewer', 'editor', 'editor'] as const) {
      expect((await join(app, recipient, await addCode(app, owner, 'build', { role }))).status).toBe(200)
    }
    for (const [follower, direction] of [
      [followers[0], 'given'],
      [followers[1], 'received'],
    ] as const) {
      expect(await newsOf(follower, 'share.')).toEqual([
        ['share.updated', { id, direction, role: 'editor', slug: 'build' }],
      ])
    }
  })

  test('dry runs and refusals have no event', async () => {
    await addActivity(app, owner, 'build')
    const followers = [await follow(owner), await follow(recipient)]
    const { code } = await addCode(app, owner, 'build')
    await app.post('/shares/join?dry_run=true', { code }, recipient.token)
    await join(app, owner, { code })
    await join(app, recipient, { code: 'ZZZZZZZZ' })
    for (const follower of followers)
      expect(await newsOf(follower, '')).toEqual([['widget.updated', expect.anything()]])
  })

  test('deleting the activity ends its shares in both feeds', async () => {
    await addActivity(app, owner, 'build')
    const { id } = await receive()
    const followers = [await follow(owner), await follow(recipient)] as const
    await app.del('/activities/build', owner.token)
    const about = { id, role: 'viewer', slug: 'build' }
    expect(await newsOf(followers[0], 'share.')).toEqual([['share.deleted', { ...about, direction: 'given' }]])
    expect(await newsOf(followers[1], 'share.')).toEqual([['share.deleted', { ...about, direction: 'received' }]])
  })
})

describe('activity.* of a shared activity', () => {
  test('the recipient reads every change in order, with the activity as it sees it', async () => {
    await addActivity(app, owner, 'build')
    await receive()
    const followers = [await follow(owner), await follow(recipient)] as const
    const options = ['yes', 'no'].map((id) => ({ id, title: id }))
    await patch(showing('1'))
    await patch(showing('2'))
    await patch({ state: 'ended' })
    await patch({ state: 'ongoing', content: { template: 'approval', state: null, options } })
    await app.post('/activities/build/answer', { option: 'yes' }, owner.token)
    const types = ['started', 'updated', 'ended', 'started', 'answered'].map((word) => `activity.${word}`)
    for (const follower of followers) {
      const news = await newsOf(follower, 'activity.')
      expect(news.map(([type]) => type)).toEqual(types)
      expect(news.at(-1)?.[1]).toEqual(await read(follower.user))
    }
  })

  test('a new activity that a pattern covers, and its deletion', async () => {
    await receive('b*')
    const theirs = await follow(recipient)
    const { id } = await addActivity(app, owner, 'build')
    await addActivity(app, owner, 'other')
    const seen = await read(recipient)
    await eventually(() => expect(theirs.events.types()).toEqual(['activity.created']))
    await app.del('/activities/build', owner.token)
    expect(await newsOf(theirs, 'activity.')).toEqual([
      ['activity.created', seen],
      ['activity.deleted', { slug: 'build', id, kind: 'shared' }],
    ])
  })

  test('changes that no request makes: a sixth preempts, and the time ends', async () => {
    await addActivity(app, owner, 'build', { state: 'ongoing', ended_ttl: 60 })
    await receive()
    const theirs = await follow(recipient)
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await addActivity(app, owner, slug, { state: 'ongoing', priority: 1 })
    const { id } = await read(recipient)
    await patch({ state: 'ongoing', priority: 2 })
    app.advanceSeconds(8 * 3600)
    await app.runDueJobs()
    app.advanceSeconds(60)
    await app.runDueJobs()
    const news = await newsOf(theirs, 'activity.')
    const types = ['preempted', 'started', 'ended', 'deleted'].map((word) => `activity.${word}`)
    expect(news.map(([type]) => type)).toEqual(types)
    expect(news.at(-1)?.[1]).toEqual({ slug: 'build', id, kind: 'shared' })
  })

  test('after leaving: activity.deleted for the recipient alone, and nothing later', async () => {
    const { id } = await addActivity(app, owner, 'build', showing('1'))
    const received = await receive()
    const followers = [await follow(owner), await follow(recipient)] as const
    await app.del(`/shares/${received.id}`, recipient.token)
    await patch(showing('2'))
    expect(await newsOf(followers[1], 'activity.')).toEqual([
      ['activity.deleted', { slug: 'build', id, kind: 'shared' }],
    ])
    const types = (await newsOf(followers[0], 'activity.')).map(([type]) => type)
    expect(types).not.toContain('activity.deleted')
    expect(types.at(-1)).toBe('activity.updated')
  })

  test('a revoked pattern deletes each activity that no other share reaches', async () => {
    await addActivity(app, owner, 'build')
    await addActivity(app, owner, 'other')
    const { id } = await addActivity(app, owner, 'bake')
    await receive()
    const pattern = await receive('b*')
    const theirs = await follow(recipient)
    await app.del(`/shares/${pattern.id}`, owner.token)
    expect(await newsOf(theirs, 'activity.')).toEqual([['activity.deleted', { slug: 'bake', id, kind: 'shared' }]])
  })

  test('one who owns the same slug reads the right activity with each event', async () => {
    const shared = await addActivity(app, owner, 'build')
    const own = await addActivity(app, recipient, 'build')
    await receive()
    const theirs = await follow(recipient)
    await patch(showing('shared'))
    await patch(showing('own'), recipient)
    await app.del('/activities/build', owner.token)
    const news = await newsOf(theirs, 'activity.')
    expect(news).toMatchObject([
      ['activity.started', { slug: 'build', id: shared.id, kind: 'shared' }],
      ['activity.started', { id: own.id, kind: 'owned', content: { state: 'own' } }],
      ['activity.deleted', { slug: 'build', id: shared.id, kind: 'shared' }],
    ])
  })

  test('a stranger reads nothing of it', async () => {
    const stranger = await follow(await app.addUser())
    await addActivity(app, owner, 'build', showing('1'))
    await receive('b*')
    expect(await newsOf(stranger, '')).toEqual([['widget.updated', expect.anything()]])
  })
})

describe('Last-Event-ID', () => {
  test('a recipient who reconnects gets each event once, in order', async () => {
    await addActivity(app, owner, 'build')
    const theirs = await follow(recipient)
    const { id } = await receive()
    await patch(showing('1'))
    await patch(showing('2'))
    await app.del(`/shares/${id}`, recipient.token)
    await newsOf(theirs, '')
    const numbers = theirs.events.numbers()
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index))
    for (const seen of [0, 1, numbers.length - 2]) {
      const again = await follow(recipient, numbers[seen])
      await newsOf(again, '')
      const missed = numbers.slice(seen + 1)
      expect(again.events.numbers().slice(0, missed.length)).toEqual(missed)
      expect(again.events.types().slice(0, missed.length)).toEqual(theirs.events.types().slice(seen + 1))
    }
  })

  test('events from before the end of a share have no content any more', async () => {
    const { id } = await addActivity(app, owner, 'build')
    const theirs = await follow(recipient)
    const received = await receive()
    await patch(showing('before'))
    await app.del(`/shares/${received.id}`, owner.token)
    await patch(showing('after'))
    await newsOf(theirs, '')
    const again = await follow(recipient, theirs.events.numbers()[0]! - 1)
    const news = await newsOf(again, 'activity.')
    expect(news.map(([type]) => type)).toContain('activity.started')
    for (const [, data] of news) expect(data).toEqual({ slug: 'build', id, kind: 'shared' })
  })
})

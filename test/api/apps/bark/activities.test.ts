// Live activities at phones with the Bark app: what rings, how often, how a message ends, and that none is lost.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type OpenChannels, openChannels } from '../../../../src/push/channels/channels.ts'
import type { TestUser } from '../../../support/app.ts'
import { addBarkPhone, barkSettings, useBarkApp } from '../../../support/devices/bark-phone.ts'
import { type PushApp, startPushServices } from '../../../support/fakes/push-services.ts'

const app = useBarkApp({ HELIOGRAPH_PUBLIC_URL: 'https://notify.example' })

const OPTIONS = [
  { id: 'yes', title: 'Deploy' },
  { id: 'no', title: 'Wait' },
]

async function addActivity(on: PushApp = app, members: object = {}) {
  const user: TestUser = await on.addUser()
  const phone = await addBarkPhone(on, user)
  await on.patch(`/devices/${phone.deviceId}`, { options: { activities: true } }, user.token)
  await on.post('/activities', { slug: 'wash', name: 'Washing', ...members }, user.token)
  const passes = async (seconds: number) => {
    on.advanceSeconds(seconds)
    await on.runDueJobs()
  }
  const show = async (state: string, more: object = {}) => {
    const content = { template: 'generic', state, ...('content' in more ? (more.content as object) : {}) }
    const { status, text } = await on.patch('/activities/wash', { state: 'ongoing', ...more, content }, user.token)
    expect(status, text).toBe(200)
    await on.runDueJobs()
  }
  const end = async () => {
    expect((await on.patch('/activities/wash', { state: 'ended' }, user.token)).status).toBe(200)
    await on.runDueJobs()
  }
  const shown = () =>
    phone.pushes().map(({ payload }) => [payload.level ?? 'removed', payload.aps.alert?.body ?? payload.id])
  return { user, phone, passes, show, end, shown }
}

test('the start is active; updates are passive, not archived and a minute apart; a tap opens its page', async () => {
  const { phone, passes, show } = await addActivity()
  await show('Filling', { content: { url: 'https://x.example/wash' } })
  await show('Washing')
  await passes(59)
  expect(phone.pushes()).toHaveLength(1)
  await passes(1)
  const [update] = phone.pushes()
  expect(update?.payload).toMatchObject({ level: 'passive', isarchive: '0', aps: { sound: 'silence.caf' } })
  expect(update?.payload).toMatchObject({ url: 'https://x.example/wash', group: 'Live' })
})

test('without an address of its own a tap opens it in the console', async () => {
  const { user, phone, show } = await addActivity()
  await show('Filling')
  const { id } = (await app.get('/activities/wash', user.token)).body
  expect(phone.pushes()[0]?.payload.url).toBe(`https://notify.example/app/activities/${id}`)
})

test('an approval opens the page that answers it, and is deleted at once when it is answered', async () => {
  const { user, phone, show, shown } = await addActivity()
  await show('v2?', { content: { template: 'approval', options: OPTIONS } })
  const { pathname } = new URL(phone.pushes()[0]?.payload.url ?? '')
  expect((await app.get(pathname)).text).toContain('Deploy')
  const headers = { 'content-type': 'application/json' }
  expect((await app.call('POST', pathname, { raw: JSON.stringify({ option: 'yes' }), headers })).status).toBe(200)
  await app.runDueJobs()
  expect(shown().map(([level]) => level)).toEqual(['removed'])
  expect((await app.get('/activities/wash', user.token)).body.content.answer.option).toBe('yes')
})

test('a sound is time-sensitive, a severity that becomes critical is critical; both keep the tag', async () => {
  const { phone, show } = await addActivity()
  await show('Warm', { content: { template: 'alert', severity: 'warning' } })
  await show('Warmer', { sound: 'bell', content: { template: 'alert', severity: 'warning' } })
  await show('Hot', { content: { template: 'alert', severity: 'critical' } })
  const pushes = phone.pushes().map(({ payload }) => payload)
  expect(pushes.map(({ level }) => level)).toEqual(['active', 'timeSensitive', 'critical'])
  expect(new Set(pushes.map(({ id }) => id)).size).toBe(1)
})

test('at most 30 an hour, and the newest state comes with the next hour', async () => {
  const { passes, show, shown } = await addActivity()
  await passes(3600 - ((app.clock.now() / 1000) % 3600))
  for (let minute = 0; minute < 35; minute++) {
    await show(`${minute}`)
    await passes(60)
  }
  expect(shown()).toHaveLength(30)
  await passes(25 * 60)
  expect(shown()).toEqual([['passive', '34']])
})

describe('the end', () => {
  test('is shown, and deleted after ten minutes', async () => {
    const { passes, show, end, shown } = await addActivity()
    await show('Filling')
    await end()
    expect(shown().map(([level]) => level)).toEqual(['active', 'passive'])
    await passes(599)
    expect(shown()).toEqual([])
    await passes(1)
    expect(shown().map(([level]) => level)).toEqual(['removed'])
  })

  test.each([
    ['with dismissal_ttl 0', { dismissal_ttl: 0 }],
    ['of one that is deleted', {}],
  ])('%s: it is deleted at once', async (_, members) => {
    const { user, show, end, shown } = await addActivity(app, members)
    await show('Filling')
    shown()
    if ('dismissal_ttl' in members) await end()
    else await app.del('/activities/wash', user.token)
    await app.runDueJobs()
    expect(shown().map(([level]) => level)).toEqual(['removed'])
  })
})

test('a run that dies between its decision and its push is made up for: nothing that rings, ends or is removed is lost', async () => {
  const services = await startPushServices()
  onTestFinished(() => services.close())
  let dies = false
  const dying: OpenChannels = (options, parts) => {
    const channels = openChannels(options, parts)
    const { bark } = channels
    if (!bark) throw new Error('there is no key for Bark')
    const push: typeof bark.push = (one) => (dies ? Promise.reject(new Error('the process dies')) : bark.push(one))
    return { ...channels, bark: { ...bark, push } }
  }
  const node = await services.startNode(barkSettings(services), undefined, { openChannels: dying })
  onTestFinished(() => node.stop())
  const own: PushApp = Object.assign(node, services)
  const { passes, show, end, shown } = await addActivity(own, { dismissal_ttl: 60 })
  const dyingOnce = async (step: () => Promise<void>) => {
    dies = true
    await step()
    dies = false
    expect(shown()).toEqual([])
    await passes(5)
    return shown()
  }
  expect(await dyingOnce(() => show('Filling'))).toEqual([['active', 'Filling']])
  expect(await dyingOnce(() => show('Door open', { sound: 'bell' }))).toEqual([['timeSensitive', 'Door open']])
  await passes(60)
  expect(await dyingOnce(() => show('Spinning'))).toEqual([['passive', 'Spinning']])
  expect(await dyingOnce(end)).toEqual([['passive', 'Spinning']])
  expect(await dyingOnce(() => passes(60))).toEqual([['removed', expect.stringMatching(/^act-/)]])
  await passes(600)
  expect(shown()).toEqual([])
})

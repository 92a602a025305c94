// The pages of widgets and activities: what their buttons do, and what the builders send.
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../../console/src/builder/activity-examples.ts'
import type { ActivityTemplate } from '../../../src/domain/screens/activity-content.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { useConsole } from '../../support/browser/console-page.ts'

const app = useTestApp()
const openPage = useConsole(app)

const OFFICE = {
  slug: 'office',
  name: 'Office',
  content: { template: 'gauge', value: 21.5, min_value: 10, max_value: 35, unit: '°C' },
}

let user: TestUser

beforeEach(async () => {
  user = await app.addUser()
  app.clock.set(Date.now() as never)
})

const widget = async (slug = 'office') => (await app.get(`/widgets/${slug}`, user.token)).body
const activity = async (slug: string) => (await app.get(`/activities/${slug}`, user.token)).body

async function start(template: ActivityTemplate): Promise<void> {
  const { slug, name, content } = ACTIVITY_EXAMPLES[template](Date.now())
  await app.post('/activities', { slug, name }, user.token)
  expect((await app.patch(`/activities/${slug}`, { state: 'ongoing', content }, user.token)).status).toBe(200)
}

test('a widget is edited without losing its settings, and deleted after a confirmation', async () => {
  const content = { ...OFFICE.content, subtitle: 'Window open' }
  await app.post('/widgets', { ...OFFICE, content, push_throttle: 30, stale_after: 900 }, user.defaultKey)
  const page = await openPage(user, 'widgets/office/edit')
  await page.fill('Subtitle', '')
  await page.fill('Value', '30.25')
  await page.see('Valid: the server accepts this.')
  expect((await widget()).content.value).toBe(21.5)
  await page.press('Save')
  await page.see('Saved.')
  expect(await widget()).toMatchObject({ push_throttle: 30, stale_after: 900 })
  expect((await widget()).content).toEqual({ ...OFFICE.content, value: 30.25 })
  expect((await page.button('Delete')).look).toBe('danger')
  await page.press('Delete')
  await page.see('Delete “Office”?')
  expect((await page.button('Delete', '.dialog')).look).toBe('danger')
  expect((await widget()).slug).toBe('office')
  await page.press('Delete', '.dialog')
  await page.see('There is no widget yet.')
  expect((await app.get('/widgets/office', user.token)).status).toBe(404)
})

test('a widget with the slug of another one warns that it replaces it, and offers a free slug', async () => {
  const taken = { slug: 'office', name: 'My office', content: { template: 'value', value: 7 } }
  await app.post('/widgets', taken, user.token)
  const page = await openPage(user, 'widgets/_new')
  await page.press('Gauge')
  await page.fill('Slug', 'office')
  await page.see('This replaces “My office”')
  expect((await page.button('Replace')).look).toBe('danger')
  await page.press('Use office-2')
  await page.seeNoMore('This replaces')
  await page.press('Create')
  await page.see('Saved.')
  expect((await widget()).name).toBe('My office')
  expect((await widget('office-2')).content.template).toBe('gauge')
})

describe('an activity', () => {
  test('that was set aside is started again, after a word about what that sets aside', async () => {
    for (const template of ['gauge', 'board', 'log', 'steps', 'generic', 'approval'] as const) {
      await start(template)
      app.advanceSeconds(1)
    }
    const page = await openPage(user, 'activities')
    await page.see('Ongoing (5 of 5)')
    await page.see('Another activity needed the place.')
    await page.press('Start again: Car')
    await page.see('This sets “Shop” aside.')
    expect((await activity('car')).state).toBe('preempted')
    await page.press('Start again', '.dialog')
    await page.button('Start again: Shop')
    expect((await activity('car')).state).toBe('ongoing')
  })

  test('is made without being shown on the devices, if the person wants that; ended, and deleted after a confirmation', async () => {
    const page = await openPage(user, 'activities/_new/steps')
    await page.check('Show it on the devices now')
    await page.see('Valid: the server accepts this.')
    await page.press('Create')
    await page.see('Saved.')
    expect((await activity('deploy')).state).toBe('ended')
    await start('gauge')
    await page.visit('activities/car')
    await page.press('End it')
    await page.see('The activity has ended.')
    expect((await activity('car')).state).toBe('ended')
    await page.press('Delete')
    await page.see('It disappears from all your devices immediately.')
    expect((await activity('car')).state).toBe('ended')
    await page.press('Delete', '.dialog')
    await page.see('The activity was deleted.')
    expect((await app.get('/activities/car', user.token)).status).toBe(404)
  })
})

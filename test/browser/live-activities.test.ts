// Activities that change while they are displayed, answers given from their cards, and the builder.
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../console/src/builder/activity-examples.ts'
import { ACTIVITY_TEMPLATES, type ActivityTemplate } from '../../src/domain/screens/activity-content.ts'
import { type TestUser, useTestApp } from '../support/app.ts'
import { seriousViolationsInBothThemes } from '../support/browser/accessibility.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../support/browser/pictures.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

let user: TestUser
let tests = 0
beforeEach(async () => {
  user = await app.addUser()
  // Every other test a minute later, because of the rate limit of sign-ins.
  app.clock.set((Date.now() + (tests++ % 2) * 60_000) as never)
})

async function start(template: ActivityTemplate): Promise<void> {
  const { slug, name, content } = ACTIVITY_EXAMPLES[template](Date.now())
  await app.post('/activities', { slug, name }, user.token)
  const { status, text } = await app.patch(`/activities/${slug}`, { state: 'ongoing', content }, user.token)
  expect({ template, status, text }).toMatchObject({ template, status: 200 })
}

async function openActivities(path = '', look = {}) {
  return (await browser.openConsole(app, user, look, `activities${path}`)).page
}

const contentOf = async (slug: string) => (await app.get(`/activities/${slug}`, user.token)).body.content

describe('an activity on the page', () => {
  test('is redrawn without a reload when a program patches it', async () => {
    await start('steps')
    const page = await openActivities()
    await page.getByText('Step 3 of 5 · Test').waitFor()
    await page.evaluate('window.wasLoadedOnce = true')
    await app.patch('/activities/deploy', { content: { current_step: 4 } }, user.token)
    await page.getByText('Step 4 of 5 · Canary').waitFor()
    expect(await page.evaluate('window.wasLoadedOnce')).toBe(true)
  })

  test('is answered with its buttons, and shows the answer', async () => {
    await start('approval')
    const page = await openActivities()
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.locator('.outcome', { hasText: 'Answered: Deploy' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Answered: Deploy' }).first().waitFor()
    // It has ended, but stays where the question was until the page is left.
    await page.locator('.card-section', { hasText: 'Ongoing (0 of 5)' }).locator('.outcome').waitFor()
    expect(await page.getByRole('heading', { name: 'Ended' }).count()).toBe(0)
    expect((await contentOf('release-approval')).answer).toMatchObject({ option: 'deploy', by: 'user' })
    expect(await page.getByRole('button', { name: 'Deploy' }).count()).toBe(0)
  })

  nightlyTest('that was set aside is started again, after a word about what that sets aside', async () => {
    for (const template of ['gauge', 'board', 'log', 'steps', 'generic', 'approval'] as const) {
      await start(template)
      app.advanceSeconds(1)
    }
    const page = await openActivities('', { width: 320 })
    await page.getByRole('heading', { name: 'Ongoing (5 of 5)' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.getByRole('button', { name: 'Start again: Car' }).click()
    await page.getByText('This sets “Shop” aside.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Start again' }).click()
    await page.getByRole('button', { name: 'Start again: Shop' }).waitFor()
    expect((await app.get('/activities/car', user.token)).body.state).toBe('ongoing')

    // A rejection gets no tick.
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.locator('.outcome[data-style=destructive] use[href="#drawing-xmark.circle"]').waitFor()
    await visit(page, 'activities/release-approval')
    await page.locator('.island[data-state=ended]').waitFor()
  })

  nightlyTest('is postponed with its snooze button', async () => {
    await start('countdown')
    const before = await contentOf('pizza')
    const page = await openActivities('/pizza')
    await page.getByRole('button', { name: 'Snooze 2 min' }).click()
    await page.getByText('Snoozed.').waitFor()
    expect((await contentOf('pizza')).end_date).toBe(before.end_date + 120)
  })

  nightlyTest('calls the URL of its media controls', async () => {
    await start('media')
    await app.patch(
      '/activities/living-room',
      { content: { controls: { next: { url: `${app.url}/health` } } } },
      user.token,
    )
    const page = await openActivities('/living-room')
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/health')),
      page.getByRole('button', { name: 'Next' }).click(),
    ])
    expect(request.method()).toBe('POST')
  })

  nightlyTest('with values over time shows its history and the threshold', async () => {
    await start('timeline')
    const page = await openActivities()
    await page.locator('.chart-label', { hasText: 'limit' }).waitFor()
    expect(await page.locator('.chart-line').count()).toBe(2)
    expect(await page.locator('.chart-line').first().getAttribute('d')).toMatch(/^M0 [\d.]+C/)
  })

  nightlyTest('is ended from its page', async () => {
    await start('gauge')
    const page = await openActivities('/car')
    await page.getByRole('button', { name: 'End it' }).click()
    await page.getByText('The activity has ended.').waitFor()
    expect((await app.get('/activities/car', user.token)).body.state).toBe('ended')
  })
})

describe('the builder', () => {
  test('shows violations of the server at their fields, and starts a valid activity', async () => {
    const page = await openActivities('/_new')
    await page.getByRole('link', { name: 'Steps' }).click()
    await page.getByLabel('Current step').fill('9')
    await page.getByText('Must be at most 5, the number of steps.').waitFor()
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await page.getByLabel('Current step').fill('5')
    await page.getByText('Valid: the server accepts this.').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Deploy v1.2' }).waitFor()
    const { state, name, content } = (await app.get('/activities/deploy', user.token)).body
    expect({ state, name, step: content.current_step }).toEqual({ state: 'ongoing', name: 'Deploy v1.2', step: 5 })
  })

  nightlyTest('removes members from the activity that were cleared in the form', async () => {
    await start('gauge')
    const page = await openActivities('/car/edit')
    await page.getByLabel('State').fill('')
    await page.getByLabel('Value', { exact: true }).fill('80')
    await page.getByText('Valid: the server accepts this.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'All activities' }).waitFor()
    expect(await contentOf('car')).toMatchObject({ template: 'gauge', value: 80, unit: '%' })
    expect(await contentOf('car')).not.toHaveProperty('state')
  })
})

describe('the page of activities', () => {
  nightlyTest.each(SIZES)(
    '$width px: axe finds no serious violation with every template on it, light or dark',
    async (size) => {
      for (const template of ACTIVITY_TEMPLATES) await start(template)
      const page = await openActivities('', size)
      await page
        .locator('.activity')
        .nth(ACTIVITY_TEMPLATES.length - 1)
        .waitFor()
      const take = (scheme: string) => takePictureOfAll(page, `cards-live-${size.width}-${scheme}`)
      expect(await seriousViolationsInBothThemes(page, take)).toEqual([])
    },
  )
})

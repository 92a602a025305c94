// Webhooks in the console: created for a tool, connected, watched, given a template, replayed and deleted.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'
import { seriousViolationsInBothThemes } from '../support/browser/accessibility.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { SIZES, takePictureOfAll } from '../support/browser/pictures.ts'
import { addHook, sendTo } from '../support/hooks/hook.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

const ALERT = {
  version: '4',
  groupKey: 'disk',
  status: 'firing',
  commonLabels: { alertname: 'DiskFull', severity: 'critical' },
  alerts: [{ status: 'firing', labels: { alertname: 'DiskFull' }, annotations: { summary: 'nas1 is at 97 %.' } }],
}

async function openPage(user: TestUser, path: string): Promise<Page> {
  return (await browser.openConsole(app, user, {}, path)).page
}

async function addressOn(page: Page): Promise<string> {
  return (await page.locator('.copyable code').first().textContent()) ?? ''
}

const titles = async (user: TestUser): Promise<string[]> =>
  (await app.get('/notifications', user.token)).body.items.map(({ title }: { title: string }) => title)

describe('a webhook', () => {
  test('is created for a tool; its first request and the notification of it appear while one waits', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Connections' }).first().click()
    await page.getByRole('link', { name: 'Webhooks' }).first().click()
    await page.getByText('No webhook yet').waitFor()
    await page.getByRole('link', { name: 'New webhook' }).click()
    await page.getByRole('button', { name: 'Alertmanager' }).click()
    await page.getByLabel('Name').fill('Prometheus')
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await page.getByText('“webhook_configs”').waitFor()
    await page.getByText('Waiting for the first request').waitFor()
    const address = await addressOn(page)
    expect((await sendTo(address, ALERT)).status).toBe(200)
    await page.getByText('A request has arrived').waitFor()
    await page.getByText('Notification sent').waitFor()
    const message = page.locator('#main').getByRole('article')
    await message.getByText('DiskFull').waitFor()
    await message.getByText('nas1 is at 97 %.').waitFor()
    await message.getByRole('link', { name: 'Open the notification' }).waitFor()

    await page.getByRole('link', { name: 'Go to the webhook' }).click()
    await page.getByText('Request 1').waitFor()
    expect(await page.content()).not.toContain(address)
    await page.getByRole('link', { name: 'All webhooks' }).click()
    await page.getByText('Receives requests').waitFor()
  })

  nightlyTest('with a secret is tested by the command that the page shows', async () => {
    const user = await app.addUser()
    const page = await openPage(user, 'webhooks/_new')
    await page.getByRole('button', { name: 'GitHub' }).click()
    await page.getByRole('button', { name: 'Generate' }).click()
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await page.getByText('Try it from a terminal').waitFor()
    const command = (await page.locator('.copyable code').last().textContent()) ?? ''
    const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value]) => [
      name.toLowerCase(),
      value,
    ])
    const [, url = '', body = ''] = /^curl (\S+) .*-d '(.+)'$/s.exec(command) ?? []
    expect((await sendTo(url, JSON.parse(body))).status).toBe(401)
    expect((await sendTo(url, JSON.parse(body), Object.fromEntries(headers))).status).toBe(200)
    await page.getByText('Webhook connected').first().waitFor()
  })

  nightlyTest('says in words what its options are, and changes them', async () => {
    const hook = await addHook(app, { kind: 'github', options: { level: { warning: 'critical' } } })
    const page = await openPage(hook.user, `webhooks/${hook.id}`)
    await page.getByText('By severity: warning → critical').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Repeat until acknowledged').selectOption('critical')
    await page.getByLabel('When an alert ends').selectOption('quiet')
    await page.getByLabel('CI runs').selectOption('activity')
    await page.getByLabel('Pushes per minute, at most').fill('12')
    await page.getByLabel('Events').fill('push, pull_request.opened')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Alerts from level critical on').waitFor()
    await page.getByText('push, pull_request.opened').waitFor()
    await page.getByText('At most 12 pushes a minute').waitFor()
    expect((await app.get(hook.path, hook.user.token)).body.options).toEqual({
      level: { warning: 'critical' },
      acknowledge_from: 'critical',
      resolved: 'quiet',
      as: 'activity',
      events: ['push', 'pull_request.opened'],
    })
  })

  nightlyTest('gets a new address, and is deleted, after a confirmation', async () => {
    const hook = await addHook(app, { name: 'Door' })
    await hook.send({ title: 'First' })
    const page = await openPage(hook.user, `webhooks/${hook.id}`)
    await page.getByRole('button', { name: 'New address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'New address' }).click()
    await page.getByText('Waiting for a request at the new address').waitFor()
    const address = await addressOn(page)
    expect((await hook.send({ title: 'Old' })).status).toBe(404)
    expect((await sendTo(address, { title: 'Second', priority: 'low' })).status).toBe(200)
    await page.getByText('A request has arrived').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhook yet').waitFor()
    expect((await sendTo(address, { title: 'Third' })).status).toBe(404)
  })
})

describe('the template of a webhook', () => {
  test('is edited beside a real request with a live preview, then a replay sends what it makes', async () => {
    const hook = await addHook(app, { name: 'Weather' })
    await hook.send({ station: 'roof', wind: { speed: 31 } })
    const page = await openPage(hook.user, `webhooks/${hook.id}`)
    await page.getByRole('link', { name: 'Edit the template' }).click()
    await page.getByText('now read as Anything').waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByText('"speed": 31').waitFor()
    await page.getByLabel('Title').fill('Storm: {{ body.wnd.speed }}')
    await preview.getByText('This request has no body.wnd.speed').waitFor()
    await page.getByLabel('Title').fill('Storm: ')
    await page.getByRole('button', { name: 'body.wind.speed' }).click()
    expect(await page.getByLabel('Title').inputValue()).toBe('Storm: {{ body.wind.speed }}')
    await page.keyboard.type(' m/s')
    await page.getByLabel('Level').fill('{% if body.wind.speed > 30 %}critical{% endif %}')
    await preview.getByText('Storm: 31 m/s').first().waitFor()
    await preview.getByText('Critical').waitFor()
    await page.getByLabel('Drop').fill('{% if body.station == "roof" %}true{% endif %}')
    await preview.getByText('Nothing is sent for this request.').waitFor()
    await page.getByLabel('Drop').fill('')
    await preview.getByText('Storm: 31 m/s').first().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The template was saved.').waitFor()
    await page.getByRole('button', { name: 'Replay: Request 1' }).click()
    await page.getByText('Replayed: a notification was sent.').waitFor()
    expect(await titles(hook.user)).toEqual(['Storm: 31 m/s', 'Weather'])
  })

  nightlyTest(
    'shows at the field what is wrong with it: text that is no Liquid, and a failure for this request',
    async () => {
      const hook = await addHook(app, { kind: 'template', template: { title: 'T' } })
      const page = await openPage(hook.user, `webhooks/${hook.id}/template`)
      const title = page.getByLabel('Title')
      const errorAt = async (text: RegExp) => {
        await page.locator('.field', { has: title }).locator('.field-error').filter({ hasText: text }).waitFor()
        expect(await title.getAttribute('aria-invalid')).toBe('true')
      }
      await title.fill('{{ body.title')
      await errorAt(/not closed/)
      await title.fill('{% for i in (1..100000000) %}x{% endfor %}')
      await errorAt(/limit/)
      await page.getByText('The template fails for this request').waitFor()
      await title.fill('{{ body.title | upcase }}')
      await page
        .getByRole('region', { name: 'Preview' })
        .getByText(/^FRONT DOOR$/)
        .waitFor()
      expect(await title.getAttribute('aria-invalid')).toBeNull()
    },
  )
})

async function inspect(page: Page, name: string): Promise<string[]> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  const take = (scheme: string) => takePictureOfAll(page, `${name}-${page.viewportSize()?.width}-${scheme}`)
  return (await seriousViolationsInBothThemes(page, take)).map((violation) => `${name}, ${violation}`)
}

describe('axe finds no serious violation, light or dark', () => {
  nightlyTest.each(SIZES)('at $width px on any page of webhooks', async (size) => {
    const hook = await addHook(app, { name: 'Prometheus', kind: 'alertmanager', secret: 'long enough' })
    await hook.send(ALERT, { authorization: 'Bearer long enough' })
    const { page } = await browser.openConsole(app, hook.user, size)
    await visit(page, 'webhooks')
    await page.getByText('Receives requests').waitFor()
    const found = await inspect(page, 'webhooks')
    await visit(page, 'webhooks/_new')
    await page.getByRole('button', { name: 'Grafana' }).waitFor()
    found.push(...(await inspect(page, 'webhooks-tools')))
    await page.getByRole('button', { name: 'Grafana' }).click()
    await page.getByRole('button', { name: 'Generate' }).click()
    found.push(...(await inspect(page, 'webhooks-new')))
    await page.getByRole('button', { name: 'Create the webhook' }).click()
    await page.getByText('Waiting for the first request').waitFor()
    found.push(...(await inspect(page, 'webhooks-waiting')))
    await visit(page, `webhooks/${hook.id}`)
    await page.getByText('nas1 is at 97 %.').first().waitFor()
    found.push(...(await inspect(page, 'webhooks-one')))
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    found.push(...(await inspect(page, 'webhooks-settings')))
    await page.keyboard.press('Escape')
    await visit(page, `webhooks/${hook.id}/template`)
    await page.getByRole('region', { name: 'Preview' }).getByRole('article').waitFor()
    await page.getByLabel('Level').fill('{{ body | nonsense }}')
    await page.getByText('undefined filter').waitFor()
    found.push(...(await inspect(page, 'webhooks-template')))
    expect(found).toEqual([])
  })
})

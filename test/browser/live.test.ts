// The console stays current: whatever the connection does, no change of the account is missed.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { signInLink, useBrowser } from '../support/browser/browser.ts'

const app = useTestApp()
const browser = useBrowser()

describe('the event stream', () => {
  test('misses no notification that arrives after the list was loaded and before the stream is open', async () => {
    const user = await app.addUser()
    const page = await (await browser.newProfile()).newPage()
    const held = Promise.withResolvers<void>()
    await page.route('**/events', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(await signInLink(app, user.userId))
    await page.getByText('No notifications yet').waitFor()
    await app.post('/notifications', { title: 'Sent between', body: 'B' }, user.token)
    held.resolve()
    await page.getByText('Sent between').first().waitFor()
  })

  test('is opened before the list is loaded, so that the list is loaded only once', async () => {
    const user = await app.addUser()
    await app.post('/notifications', { title: 'From before', body: 'B' }, user.token)
    const page = await (await browser.newProfile()).newPage()
    // However slow the machine is, the console does not stop waiting for the stream.
    await page.addInitScript('const set = setTimeout; setTimeout = (work, ms) => (ms >= 1000 ? 0 : set(work, ms))')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(await signInLink(app, user.userId))
    await page.getByText('From before').first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await app.post('/notifications', { title: 'Sent later', body: 'B' }, user.token)
    await page.getByText('Sent later').first().waitFor()
    expect(requests.filter((path) => path === '/notifications')).toHaveLength(1)
  })
})

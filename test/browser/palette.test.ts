// The command palette: what it finds, and its key.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { seriousViolations } from '../support/browser/accessibility.ts'
import { signInLink, useBrowser, visit } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'

const app = useTestApp()
const browser = useBrowser()

const field = (page: Page) => page.getByRole('combobox', { name: 'Commands' })
const typedIn = (page: Page) => page.evaluate('document.activeElement.value')

describe('the command palette', () => {
  test('opens with Ctrl K and with its button, leads to pages and searches the inbox', async () => {
    const user = await app.addUser()
    await app.addKey(user, { name: 'Thermometer' })
    const { page } = await browser.openConsole(app, user)
    const palette = field(page)
    await page.keyboard.press('Control+k')
    await palette.fill('key')
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    const names = async () => (await options.allTextContents()).map((name) => name.trim())
    expect(await names()).toEqual(['Keys', 'New key', 'Search the inbox for “key”'])
    expect(await seriousViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const newKey = page.getByRole('dialog', { name: 'New key' })
    await newKey.waitFor()
    await page.keyboard.press('Escape')
    await newKey.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await palette.fill('new key')
    await page.keyboard.press('Enter')
    await newKey.waitFor()
    await page.keyboard.press('Escape')
    await newKey.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await options.getByText('Wall').waitFor()
    expect(await names()).toEqual(expect.arrayContaining(['New message', 'Wall', 'Sign-in']))
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })

    // A record by its name, and a page by another word for it.
    await page.keyboard.press('Control+k')
    await palette.fill('mute')
    await options.getByText('Mutes and sound').waitFor()
    for (const word of ['invite', 'logout', 'token', 'snooze', 'api']) {
      await palette.fill(word)
      await options.getByText(`Search the inbox for “${word}”`).waitFor()
      expect((await names()).length).toBeGreaterThan(1)
    }
    await palette.fill('thermo')
    await options.getByText('Thermometer').click()
    await page.waitForURL('**/app/keys/*')
    await page.getByRole('heading', { name: 'Thermometer' }).waitFor()
    expect(await page.getByRole('heading', { name: 'default' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Search and commands' }).click()
    await palette.fill('disk full')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/?q=disk+full')
    // On a phone it is opened from the page "More".
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Search and commands' }).click()
    await palette.fill('sign')
    await options.getByText('Sign out', { exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('one-time link').waitFor()
  })

  test('finds records that have one page and one name each for itself, and the pages by what people call them', async () => {
    const user = await app.addUser()
    for (const name of ['Pixel one', 'Pixel two', 'Pixel two']) {
      await app.post('/devices/apps', { kind: 'ntfy', name }, user.token)
    }
    const { page } = await browser.openConsole(app, user)
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option')
    const names = async () => (await options.allTextContents()).map((name) => name.trim()).slice(0, -1)
    await page.keyboard.press('Control+k')
    for (const [query, found] of [
      ['pixel', ['Pixel one Device', 'Pixel two Device', 'Pixel two Device']],
      ['pixel one', ['Pixel one Device']],
      ['pixel two', ['Pixel two Device', 'Pixel two Device']],
      ['pixel', ['Pixel one Device', 'Pixel two Device', 'Pixel two Device']],
    ] as const) {
      await field(page).fill(query)
      await eventually(async () => expect((await names()).sort()).toEqual(found))
    }
    for (const [word, name] of [
      ['email', 'E-mail'],
      ['alarm', 'Alerts'],
      ['oncall', 'Escalation'],
      ['2fa', 'Sign-in'],
      ['mute', 'Mutes and sound'],
      ['invite', 'Organizations'],
      ['logout', 'Sign out'],
      ['token', 'New key'],
    ] as const) {
      await field(page).fill(word)
      await eventually(async () => expect([word, await names()]).toEqual([word, expect.arrayContaining([name])]))
    }
  })

  test('is closed for the next person when the session has ended elsewhere', async () => {
    const user = await app.addUser()
    const { page } = await browser.openConsole(app, user)
    await page.keyboard.press('Control+k')
    await field(page).waitFor()
    await app.del('/auth/sessions', user.token)
    await page.getByLabel('Paste a one-time link').fill(await signInLink(app, (await app.addUser()).userId))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await field(page).count()).toBe(0)
  })
})

describe('the key of the command palette', () => {
  test('takes what is typed before it is drawn, which no shortcut of the page behind gets', async () => {
    const user = await app.addUser()
    for (const title of ['First', 'Second']) await app.post('/notifications', { title, body: 'B' }, user.defaultKey)
    const { page } = await browser.openConsole(app, user)
    await page.getByRole('link', { name: 'Second' }).waitFor()
    // However fast its code comes: all of it is pressed before.
    await page.evaluate(`{
      const press = (key, more) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
      press('k', { ctrlKey: true })
      for (const key of 'jxkeyz') press(key)
      press('Backspace')
      press('k', { ctrlKey: true })
    }`)
    await field(page).waitFor()
    await eventually(async () => expect(await typedIn(page)).toBe('jxkey'))
    await page.keyboard.type('s')
    expect(await typedIn(page)).toBe('jxkeys')
    expect(await page.locator('.row[aria-current], [role=toolbar]').count()).toBe(0)
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.locator('.row[aria-current]').waitFor()
  })

  test('opens it from a field, which gets the focus back with its text, and not over another dialog', async () => {
    const { page } = await browser.openConsole(app, await app.addUser(), {}, 'keys')
    await page.getByRole('button', { name: 'New key' }).focus()
    await page.keyboard.press('Control+k')
    await field(page).fill('theme light')
    await page.keyboard.press('Enter')
    await field(page).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New key')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').fill('CI')
    await page.keyboard.press('Control+k')
    expect([await typedIn(page), await field(page).count()]).toEqual(['CI', 0])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await visit(page, 'organizations')
    await page.getByRole('textbox').first().fill('Half')
    await page.keyboard.press('Meta+k')
    await field(page).waitFor()
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
    expect(await typedIn(page)).toBe('Half')
  })

  test('is the key, and not the letter, on keyboards of other scripts; events of forms without a key are passed', async () => {
    const { page } = await browser.openConsole(app, await app.addUser())
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    const press = (init: object) =>
      page.evaluate(`(() => {
        const event = new KeyboardEvent('keydown', ${JSON.stringify({ cancelable: true, ctrlKey: true, ...init })})
        return !dispatchEvent(event)
      })()`)
    await page.evaluate(`dispatchEvent(new Event('keydown'))`)
    expect(errors).toEqual([])
    // A Dvorak keyboard has T there.
    expect(await press({ key: 't', code: 'KeyK' })).toBe(false)
    expect(await press({ key: 'л', code: 'KeyK' })).toBe(true)
    await field(page).waitFor()
  })
})

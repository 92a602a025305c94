// An address that only the machine of the server understands is never handed to a program, a phone or a person without saying so.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { HOME } from '../support/browser/addresses.ts'
import { signInLink, useBrowser, visit } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'
import { createOrganization } from '../support/organizations/organization.ts'

const app = useTestApp()
const browser = useBrowser()

const WARNINGS = {
  program: 'works for programs on the machine of this server only',
  internet: 'This program runs elsewhere and cannot reach',
  person: 'Others cannot open',
}

// The names of the tiles, and the warning that each shows once it has what it needs.
async function warningsOfTiles(page: Page): Promise<Record<string, string[]>> {
  const tiles = page.locator('.program-tile')
  await tiles.first().waitFor()
  const found: Record<string, string[]> = {}
  for (const tile of await tiles.all()) {
    const name = (await tile.locator('strong').textContent()) ?? ''
    await tile.click()
    const program = page.getByRole('region', { name, exact: true })
    await program.getByRole('button', { name: /^Make the/ }).click()
    await program.locator('code').first().waitFor()
    found[name] = await program.locator('.note-bad').allTextContents()
  }
  return found
}

describe('at the loopback address', () => {
  test('every tile of the first steps says who can use the address', async () => {
    const { page } = await browser.openConsole(app, await app.addUser())
    const found = await warningsOfTiles(page)
    expect(Object.keys(found).length).toBeGreaterThan(10)
    for (const [name, [words = 'nothing']] of Object.entries(found)) {
      expect([name, words]).toEqual([
        name,
        expect.stringContaining(WARNINGS[toInternet(name) ? 'internet' : 'program']),
      ])
    }
  })

  test('so does each page that gives an address of the server away', async () => {
    const user = await app.addUser()
    const org = await createOrganization(app)
    await app.post('/heartbeats', { slug: 'backup', name: 'Backup', every_seconds: 3600 }, user.token)
    const { page } = await browser.openConsole(app, user, {}, 'keys')
    const main = page.getByRole('main')
    const dialog = page.getByRole('dialog')
    const says = (where: Locator, who: keyof typeof WARNINGS) => where.getByText(WARNINGS[who]).waitFor()

    await page.getByRole('button', { name: 'Use it in…' }).first().click()
    await says(dialog, 'program')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('CI')
    await dialog.getByRole('button', { name: 'New key' }).click()
    await says(dialog, 'program')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()

    for (const [tool, who] of [
      ['Grafana', 'program'],
      ['GitHub', 'internet'],
    ] as const) {
      await visit(page, 'webhooks')
      await visit(page, 'webhooks/_new')
      await page.getByRole('button', { name: tool, exact: true }).click()
      await page.getByRole('button', { name: 'Create the webhook' }).click()
      await says(main, who)
    }

    await visit(page, 'heartbeats')
    await says(main, 'program')
    await visit(page, 'heartbeats/backup')
    await page.getByText('Ready lines').waitFor()
    await says(main, 'program')
    await page.getByRole('radio', { name: 'GitHub Actions' }).check()
    await says(main, 'internet')

    await visit(page, 'widgets/_wall')
    await page.getByLabel('Where is it shown?').fill('Kitchen')
    await page.getByRole('button', { name: 'Make a link' }).click()
    await says(main, 'person')

    await page.goto(await signInLink(app, org.owner.userId, `organizations/${org.id}/members`))
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Create a code' }).click()
    await says(page.locator('body'), 'person')
  })
})

const toInternet = (name: string): boolean => name === 'GitHub Actions'

nightlyTest('at an address of the home network only programs in the internet are warned of', async () => {
  const { app: server, origin } = await HOME.open(app)
  const user = await server.addUser()
  const page = await (await browser.newProfile()).newPage()
  await page.goto((await signInLink(server, user.userId)).replace(server.url, origin))
  const found = await warningsOfTiles(page)
  for (const name of Object.keys(found))
    found[name] = (found[name] ?? []).filter((words) => !words.includes(WARNINGS.program))
  const warned = Object.keys(found).filter((name) => (found[name] ?? []).length > 0)
  expect(warned).toEqual(['GitHub Actions'])
})

// Every page in both themes, on a phone and on a desktop: nothing that hinders people, and a picture of each to look at.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { seedAccount } from '../support/seeded-account.ts'

const app = useTestApp()
const browser = useBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PICTURES = 'test/browser/output'

const PAGES = ['', 'widgets', 'receipts', 'keys', 'devices', 'usage', 'settings', 'more']
const LOOKS = [
  { width: 390, height: 844, scheme: 'light' },
  { width: 390, height: 844, scheme: 'dark' },
  { width: 1440, height: 900, scheme: 'light' },
  { width: 1440, height: 900, scheme: 'dark' },
] as const

let user: TestUser
beforeAll(async () => {
  user = await seedAccount(app)
})

type Violation = { id: string; impact: string; nodes: { html: string }[] }

describe('every page', () => {
  test.each(LOOKS)('$width px, $scheme: axe finds no serious violation', async (look) => {
    const { page } = await browser.openConsole(app, user, look)
    const serious: string[] = []
    const inspect = async (name: string) => {
      await page.waitForFunction('!document.querySelector(".skeleton")')
      await page.screenshot({ path: `${PICTURES}/${name}-${look.width}-${look.scheme}.png` })
      const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as { violations: Violation[] }
      for (const { id, impact, nodes } of violations) {
        if (impact === 'serious' || impact === 'critical') serious.push(`${name}: ${id}: ${nodes[0]?.html}`)
      }
    }
    for (const name of PAGES) {
      await page.goto(`${app.url}/app/${name}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await inspect(name || 'inbox')
    }
    await page.goto(`${app.url}/app/`)
    await page.getByRole('link', { name: 'Disk almost full' }).click()
    await page.getByText('Delivery').waitFor()
    await inspect('notification')
    await page.goto(`${app.url}/app/keys`)
    await page.getByRole('button', { name: 'New key' }).click()
    await inspect('new-key')
    expect(serious).toEqual([])
  })

  test.each(LOOKS)('$width px, $scheme: before signing in', async (look) => {
    const page = await (await browser.newProfile(look)).newPage()
    await page.goto(`${app.url}/app/`)
    await page.getByText('one-time link').waitFor()
    await page.screenshot({ path: `${PICTURES}/sign-in-${look.width}-${look.scheme}.png` })
    const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as { violations: Violation[] }
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  })
})

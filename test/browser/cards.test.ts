// Widgets and activities in a browser: every template in every family, and accessibility of the pages.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../console/src/builder/activity-examples.ts'
import { WIDGET_EXAMPLES } from '../../console/src/builder/widget-examples.ts'
import { WIDGET_TEMPLATES } from '../../src/contract/widgets.ts'
import { COLOR_NAMES } from '../../src/domain/color.ts'
import { ACTIVITY_TEMPLATES } from '../../src/domain/screens/activity-content.ts'
import { type TestUser, useTestApp } from '../support/app.ts'
import { seriousViolationsInBothThemes } from '../support/browser/accessibility.ts'
import { useBrowser, visit } from '../support/browser/browser.ts'
import { FONT_NAMES, type FontName, fontInUse } from '../support/browser/fonts.ts'
import { DESKTOP, SIZES, takePicture, takePictureOfAll } from '../support/browser/pictures.ts'
import { isNightly, nightlyTest } from '../support/nightly.ts'

const app = useTestApp()
const browser = useBrowser()

// `npm test` looks at one: a theme changes colours, and no sizes.
const SCHEMES = isNightly ? (['light', 'dark'] as const) : (['light'] as const)

async function inEachTheme(page: Page, look: (scheme: 'light' | 'dark') => Promise<void>): Promise<void> {
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme })
    await look(scheme)
  }
}

// The text each must show in small, medium and large.
const EXPECTED_TEXT: Record<(typeof WIDGET_TEMPLATES)[number], RegExp> = {
  value: /1,284/,
  progress: /62%/,
  status: /All systems go/,
  gauge: /21\.5\s*°C/,
  stat_list: /Passed today\s*48/,
  trend: /182\s*ms/,
  countdown: /2d 03:4\d:\d\d/,
  battery: /12%/,
  schedule: /\d\d\s*ct/,
  flow: /4\.2\s*kW/,
}

let user: TestUser
beforeAll(async () => {
  user = await app.addUser()
  const present = Date.now()
  app.clock.set(present as never)
  for (const template of WIDGET_TEMPLATES) {
    const { status } = await app.post('/widgets', WIDGET_EXAMPLES[template](present), user.defaultKey)
    expect([template, status]).toEqual([template, 201])
  }
})

// Cards whose content is larger than the card.
async function overfull(page: Page): Promise<string[]> {
  expect(await fontInUse(page)).toBe(true)
  return page
    .locator('.widget, .widget-body, .accessory')
    .evaluateAll((cards) =>
      cards
        .filter((card) => card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1)
        .map(
          (card) =>
            `${card.className} of ${card.clientWidth}×${card.clientHeight}: ${card.scrollWidth}×${card.scrollHeight}`,
        ),
    )
}

const fileNameOf = (font: FontName) => font.toLowerCase().replaceAll(' ', '-')

describe('widgets', () => {
  test.each(isNightly ? FONT_NAMES : FONT_NAMES.slice(0, 1))(
    'every template fits in every family and shows its main text, %s',
    async (font) => {
      const { page } = await browser.openConsole(app, user, { ...DESKTOP, font })
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      for (const template of WIDGET_TEMPLATES) {
        const { slug, name } = WIDGET_EXAMPLES[template](0)
        await visit(page, `widgets/${slug}`)
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await page.locator('.accessory').nth(2).waitFor()
        await inEachTheme(page, async (scheme) => {
          await takePicture(page.locator('.families'), `card-${template}-${scheme}-${fileNameOf(font)}`)
          expect(await overfull(page), `${template} ${scheme}`).toEqual([])
        })
        for (const family of ['small', 'medium', 'large:not(.widget-extra-large)', 'extra-large']) {
          expect(await page.locator(`.widget-${family}`).textContent(), `${template} ${family}`).toMatch(
            EXPECTED_TEXT[template],
          )
        }
      }
      expect(errors).toEqual([])
    },
  )
})

const LONG = 'Donaudampfschifffahrtsgesellschaft '.repeat(8).slice(0, 256)
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const list = <Entry>(length: number, entry: (index: number) => Entry) =>
  Array.from({ length }, (_, index) => entry(index))
const NODE = { rate: -123_456.789, name: LONG.slice(0, 32), total: 9e9, level: 100 }
const FULL = {
  unit: LONG.slice(0, 32),
  label: LONG,
  subtitle: LONG,
  icon: 'bolt',
  trend: 'up',
  url_action: { url: 'https://a.example', title: LONG.slice(0, 64) },
  secondary_url_action: { url: 'https://a.example', title: LONG.slice(0, 64) },
  stat_rows: list(6, (index) => ({
    label: `${index}${LONG}`.slice(0, 32),
    value: LONG.slice(0, 32),
    unit: LONG.slice(0, 16),
  })),
}

// Every text and list has the maximum length of the specification.
const LARGEST: Record<(typeof WIDGET_TEMPLATES)[number], object> = {
  value: { value: -98_765.4321 },
  progress: { value: 1 },
  status: { value: -98_765.4321, severity: 'critical' },
  gauge: { value: -98_765.4321, min_value: -99_999.99, max_value: 99_999.99 },
  stat_list: {},
  trend: { value: -98_765.4321, points: list(48, (index) => Math.sin(index) * 1e6) },
  countdown: { start_date: at(-1), end_date: at(366 * 24 - 1), expired_text: LONG.slice(0, 64) },
  battery: { devices: list(8, (index) => ({ name: `${index}${LONG}`.slice(0, 32), level: 100, charging: true })) },
  schedule: {
    periods: list(48, (index) => ({ start: at(index - 3), value: -98_765.43 + index * 5000, level: 'high' })),
  },
  flow: { flow: { inputs: [NODE, NODE, NODE], output: NODE, storage: NODE, exchange: NODE } },
}

describe('the largest content that the server accepts', () => {
  nightlyTest.each(FONT_NAMES)('still fits in the card of every template, %s', async (font) => {
    const owner = await app.addUser()
    const { page } = await browser.openConsole(app, owner, { ...DESKTOP, font })
    for (const template of WIDGET_TEMPLATES) {
      const slug = `largest-${template.replace('_', '-')}`
      const widget = { slug, name: LONG, content: { ...FULL, ...LARGEST[template], template } }
      const { status, text } = await app.post('/widgets', widget, owner.defaultKey)
      expect(status, text).toBe(201)
      await visit(page, `widgets/${slug}`)
      await page.getByText(slug, { exact: true }).waitFor()
      await page.locator('.accessory').nth(2).waitFor()
      await takePicture(page.locator('.families'), `largest-${template}-${fileNameOf(font)}`)
      expect(await overfull(page), template).toEqual([])
    }
  })
})

describe('activities', () => {
  test('every template is drawn as a card and in the island', async () => {
    const { page } = await browser.openConsole(app, user, DESKTOP)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    for (const [index, template] of ACTIVITY_TEMPLATES.entries()) {
      const { name, content } = ACTIVITY_EXAMPLES[template](0)
      await visit(page, 'activities/_new')
      await page.locator('.gallery-button').nth(index).click()
      const card = page.locator('.activity')
      await page.locator('.island').waitFor()
      await inEachTheme(page, async (scheme) => {
        await takePicture(page.locator('.builder-preview'), `activity-${template}-${scheme}`)
      })
      expect(await card.getAttribute('data-template')).toBe(template)
      expect(await card.textContent()).toContain(name)
      expect(await card.textContent()).toContain(content.state ?? content.media_title)
      expect(await page.locator('.island-text').textContent(), template).toMatch(/\S/)
    }
    expect(errors).toEqual([])
  })
})

describe('every named colour', () => {
  nightlyTest('keeps text readable, as accent and as background, light and dark', async () => {
    const owner = await app.addUser()
    for (const color of COLOR_NAMES) {
      for (const member of ['accent_color', 'background_color']) {
        const action = { url: 'https://a.example', title: 'Press' }
        const content = {
          template: 'status',
          label: color,
          subtitle: member,
          icon: 'bolt',
          url_action: action,
          [member]: color,
        }
        await app.post('/widgets', { slug: `${color}-${member}`, name: color, content }, owner.defaultKey)
      }
    }
    const { page } = await browser.openConsole(app, owner, DESKTOP, 'widgets')
    await page
      .locator('.widget')
      .nth(2 * COLOR_NAMES.length - 1)
      .waitFor()
    const takeColors = (scheme: string) => takePictureOfAll(page, `colors-${scheme}`)
    expect(await seriousViolationsInBothThemes(page, takeColors)).toEqual([])
  })
})

describe('both pages', () => {
  nightlyTest.each(SIZES)('$width px: axe finds no serious violation, light or dark', async (size) => {
    const { page } = await browser.openConsole(app, user, size)
    const inspect = async (name: string, path: string, ready: string) => {
      await page.goto(`${app.url}/app/${path}`)
      await page.locator(ready).first().waitFor()
      const take = (scheme: string) => takePictureOfAll(page, `cards-${name}-${size.width}-${scheme}`)
      expect(await seriousViolationsInBothThemes(page, take), name).toEqual([])
    }
    await inspect('widgets', 'widgets', '.widget')
    await inspect('widget', 'widgets/home-power', '.accessory')
    await inspect('new-widget', 'widgets/_new', '.gallery-item')
    await inspect('builder', 'widgets/office/edit', '.verdict[data-state=valid]')
    await inspect('activities', 'activities/_new', '.gallery-item')
  })
})

// Runs axe on a page and returns its serious and critical violations.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { takePicture } from './pictures.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string }[] }

export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

const ALL_RULES = { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
// Nothing else depends on the theme.
const CONTRAST = { resultTypes: ['violations'], runOnly: { type: 'rule', values: ['color-contrast'] } }

// The violations that axe finds on a page of the console in both themes. At night it also takes a picture of each.
export async function inspect(page: Page, name: string): Promise<string[]> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.evaluate(`window.axe ??= (() => { ${axe}; return axe })()`)
  const found = await inspectTheme(page, name, 'dark', CONTRAST)
  return [...found, ...(await inspectTheme(page, name, 'light', ALL_RULES))]
}

async function inspectTheme(page: Page, name: string, colorScheme: 'light' | 'dark', rules: object): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  await takePicture(page, `${name}-${page.viewportSize()?.width}-${colorScheme}`)
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${name}, ${colorScheme}: ${id}: ${nodes[0]?.html}`)
}

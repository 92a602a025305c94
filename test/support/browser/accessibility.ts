// Runs axe on a page and returns its serious and critical violations.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string }[] }

export async function seriousViolations(page: Page, rules: object = {}): Promise<string[]> {
  await loadAxe(page)
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules })
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

// Once per document: to send the script takes longer than to run it. Nothing is returned, for it would be serialized.
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(`'axe' in window`)) return
  await page.evaluate(`window.axe = (() => { ${axe}; return axe })(); undefined`)
}

// In both themes. Only contrast depends on the theme, so the other rules run once. `prepare` is called in each theme before.
export async function seriousViolationsInBothThemes(
  page: Page,
  prepare: (scheme: 'light' | 'dark') => Promise<void>,
  rules: object = {},
): Promise<string[]> {
  const inTheme = async (colorScheme: 'light' | 'dark', some: object) => {
    await page.emulateMedia({ colorScheme })
    await prepare(colorScheme)
    return (await seriousViolations(page, some)).map((violation) => `${colorScheme}: ${violation}`)
  }
  const dark = await inTheme('dark', { runOnly: { type: 'rule', values: ['color-contrast'] } })
  return [...dark, ...(await inTheme('light', rules))]
}

// Runs axe on a page and returns its serious and critical violations.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; nodes: { html: string }[] }

export async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

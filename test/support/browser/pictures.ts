// Screenshots for review and for the README. A picture takes longer than the test around it, so `npm test` takes none.
import type { Locator, Page } from 'playwright-core'
import { isNightly } from '../nightly.ts'

const FOLDER = 'test/browser/output'

export async function takePicture(target: Page | Locator, name: string): Promise<void> {
  if (isNightly) await target.screenshot({ path: pathOf(name) })
}

// Also what lies below the window.
export async function takePictureOfAll(page: Page, name: string): Promise<void> {
  if (isNightly) await page.screenshot({ path: pathOf(name), fullPage: true })
}

const pathOf = (name: string) => `${FOLDER}/${name}.png`

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1440, height: 1000 }

// The sizes at which `npm test` looks at a page: one, because to open it again takes longer than to look at it.
export const SIZES = isNightly ? [PHONE, DESKTOP] : [PHONE]

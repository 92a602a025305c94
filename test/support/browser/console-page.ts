// What a person sees and does on a page of the console, in words: by the names of its buttons and fields.
import type { Locator, Page } from 'playwright-core'
import { onTestFailed } from 'vitest'
import type { TestApp, TestUser } from '../app.ts'
import { useBrowser, visit } from './browser.ts'

export type ConsolePage = {
  // Each waits until it is so.
  see(words: string | RegExp): Promise<void>
  seeNoMore(words: string | RegExp): Promise<void>
  // A button or a link, by its name. What is behind an open dialog cannot be pressed.
  // `within`: a class of what it is in, or words of the entry, section or form.
  press(name: string | RegExp, within?: string): Promise<void>
  button(name: string | RegExp, within?: string): Promise<{ isDisabled: boolean; look: string; href?: string }>
  // Fields, by their label.
  fill(label: string, text: string): Promise<void>
  choose(label: string, option: string): Promise<void>
  check(label: string): Promise<void>
  attribute(label: string, name: string): Promise<string | null>
  // Without reloading it.
  visit(path: string): Promise<void>

  // Their names, or their text.
  all(selectors: string): Promise<string[]>
  // The names of all buttons and links that look like buttons.
  buttons(): Promise<string[]>
  path(): string
  // The addresses that it opens in windows of their own, which it then does not open.
  opened(): Promise<string[]>
}

type Open = (user: TestUser, path?: string) => Promise<ConsolePage>

// For all tests of a file: a person who has it open goes to the page there, as long as no test has failed on it.
export function useConsole(app: TestApp): Open {
  const { openConsole } = useBrowser({ keepsPages: true })
  const pages = new Map<TestUser, Page>()
  return async (user, path = '') => {
    onTestFailed(() => void pages.delete(user))
    const open = pages.get(user)
    if (open) {
      await visit(open, path)
      return pageIn(open)
    }
    const { page } = await openConsole(app, user, {}, path)
    pages.set(user, page)
    await page.evaluate('window.opened = []; window.open = (address) => void opened.push(address)')
    return pageIn(page)
  }
}

// The innermost dialog, or else the page.
const FRONT = 'dialog:not(:has(dialog)), body:not(:has(dialog))'
const ENTRIES = 'li, tr, section, form, [role=toolbar]'
// In the page: the name of an element.
const NAME = `(one) => (one.getAttribute('aria-label') ?? one.textContent).replace(/\\s+/g, ' ').trim()`

function pageIn(page: Page): ConsolePage {
  const front = page.locator(FRONT)
  const shown = (words: string | RegExp) => page.getByText(words).filter({ visible: true }).first()

  const named = (within: Locator, name: string | RegExp) =>
    within.getByRole('button', { name, exact: true }).or(within.getByRole('link', { name, exact: true }))
  function control(name: string | RegExp, within = ''): Locator {
    if (!within || within.startsWith('.')) return named(within ? page.locator(within) : front, name).first()
    const entry = front.locator(ENTRIES).filter({ hasText: within })
    return named(entry.filter({ has: named(page.locator(':scope'), name) }).last(), name).first()
  }
  const field = (label: string) =>
    front.getByLabel(label, { exact: true }).and(page.locator('input, select, textarea')).first()
  const all = (selectors: string) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('${selectors}')].map(${NAME})`)

  return {
    see: (words) => shown(words).waitFor(),
    seeNoMore: (words) => shown(words).waitFor({ state: 'detached' }),
    press: (name, within) => control(name, within).click(),
    button: (name, within) =>
      control(name, within).evaluate((one) => ({
        isDisabled: one.matches(':disabled'),
        look: /button-(primary|plain|quiet|danger)/.exec(one.className)?.[1] ?? '',
        href: one.getAttribute('href') ?? undefined,
      })),
    fill: (label, text) => field(label).fill(text),
    choose: async (label, option) => void (await field(label).selectOption({ label: option })),
    check: (label) => field(label).click(),
    attribute: (label, name) => field(label).getAttribute(name),
    visit: (path) => visit(page, path),
    all,
    buttons: () => all('main button, main a.button'),
    path: () => new URL(page.url()).pathname + new URL(page.url()).search,
    opened: () => page.evaluate('opened'),
  }
}

// What is cut or leaves its place on a page: wider than the window, or than the card or dialog around it.
import type { Page } from 'playwright-core'

const FIND = `(() => {
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []
  const isScrolled = (element) => {
    const scroller = element.parentElement?.closest('nav, pre, .curl, .usage-chart, [class*=scroll]')
    return scroller && scroller.scrollWidth > scroller.clientWidth
  }
  for (const element of document.querySelectorAll('body *')) {
    const { left, right, width, height } = element.getBoundingClientRect()
    const { visibility, overflowX, textOverflow } = getComputedStyle(element)
    if (width <= 1 || height <= 1 || visibility === 'hidden' || element.closest('.hidden, svg, .skip') || isScrolled(element)) continue
    const name = element.tagName + '.' + element.classList + ' ' + element.textContent.trim().slice(0, 30)
    if (left < -1 || right > innerWidth + 1) found.push('outside of the window: ' + name)
    const box = element.parentElement.closest('.card, .note, .toast, dialog')?.getBoundingClientRect()
    if (box && (left < box.left - 1 || right > box.right + 1)) found.push('leaves its card: ' + name)
    const isText = element.children.length === 0 && element.tagName !== 'INPUT' && element.tagName !== 'TEXTAREA'
    if (isText && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && textOverflow !== 'ellipsis' && overflowX !== 'auto') {
      found.push('cut: ' + name)
    }
  }
  return found.slice(0, 5)
})()`

export async function doNotFit(page: Page): Promise<string[]> {
  // What is folded has to fit too.
  await page.evaluate(`document.querySelectorAll('details').forEach((folded) => (folded.open = true))`)
  return (await page.evaluate(FIND)) as string[]
}

// All pages of the site as HTML, with their headings. Throws when a link leads nowhere or a page is missing in the menu.
import { brokenLinks } from './links.mjs'
import { renderMarkdown } from './markdown.mjs'
import { readSite } from './site.mjs'
import { renderPage } from './template.mjs'

export function renderSite(root) {
  const pages = readSite(root)
  const parsed = pages.map((page) => ({ page, ...renderMarkdown(page, pages, root) }))
  const broken = brokenLinks(parsed)
  if (broken.length > 0) throw new Error(broken.join('\n  '))
  return parsed.map((one) => ({ page: one.page, headings: one.headings, html: renderPage(one, pages) }))
}

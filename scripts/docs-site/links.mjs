// Links of the Markdown files, and what they become on the site.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'

// Served by the program beside the pages; see src/http/routes/docs.ts.
const SERVED = { 'openapi.json': '../openapi.json' }

// Returns { kind, href, … }: a page of the site, a file that is copied, an address elsewhere, or plain text for a file of
// the repository that the site does not have.
export function resolveLink(href, page, pages, root) {
  if (/^(?:https?|mailto):/.test(href)) return { kind: 'external', href }
  const [target, anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (target === '') return { kind: 'page', to: page, anchor, href: hash }
  const file = posix.join(posix.dirname(page.file), target)
  const to = pages.find((one) => one.file === file || one.file === posix.join(file, 'README.md'))
  if (to) return { kind: 'page', to, anchor, href: relativePath(page, to.path) + hash }
  if (SERVED[file]) return { kind: 'external', href: relativePath(page, SERVED[file]) }
  if (file.startsWith('docs/images/') && existsSync(join(root, file))) {
    const path = file.slice('docs/'.length)
    return { kind: 'file', path, href: relativePath(page, path) }
  }
  if (existsSync(join(root, file))) return { kind: 'text' }
  return { kind: 'broken', href }
}

export function relativePath(page, path) {
  return posix.relative(posix.dirname(page.path), path)
}

// The reasons why a page's links are wrong, one line each.
export function brokenLinks(rendered) {
  const anchorsOf = new Map(rendered.map(({ page, headings }) => [page, new Set(headings.map(({ id }) => id))]))
  return rendered.flatMap(({ page, links }) =>
    links.flatMap((link) => {
      if (link.kind === 'broken') return [`${page.file} links to ${link.href}, which does not exist`]
      if (link.kind !== 'page' || link.anchor === undefined || anchorsOf.get(link.to)?.has(link.anchor)) return []
      return [`${page.file} links to #${link.anchor} of ${link.to.file}, which has no such heading`]
    }),
  )
}

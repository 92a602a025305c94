// Markdown to HTML: headings with the anchors of code-hosting sites, code highlighted at build time, links to other pages
// as relative links that also work on another host. The HTML has no inline script and no style attribute.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import hljs from 'highlight.js'
import { Marked } from 'marked'
import { resolveLink } from './links.mjs'

// Returns { html, headings, links, text }: `headings` for "on this page" and the search, `links` for the check.
export function renderMarkdown(page, pages, root) {
  const headings = []
  const links = []
  const marked = new Marked({ gfm: true })
  const nextAnchor = anchors()
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = nextAnchor(plainText(text))
        headings.push({ depth, id, text: plainText(text) })
        const content = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`
        const label = `Link to “${escapeHtml(plainText(text))}”`
        return `<h${depth} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="${label}">#</a></h${depth}>\n`
      },
      code({ text, lang }) {
        return `<pre class="code"${lang ? ` data-language="${escapeHtml(lang)}"` : ''} tabindex="0"><code>${highlight(text, lang)}</code></pre>\n`
      },
      table(token) {
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join('')
        const rows = token.rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`,
        )
        // Wide tables scroll in a box of their own, which the keyboard can reach.
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`
      },
      link({ raw, href, tokens }) {
        const content = this.parser.parseInline(tokens)
        // A bare address is an example, such as http://HOST:PORT.
        if (raw === href) return content
        const link = resolveLink(href, page, pages, root)
        links.push(link)
        if (link.kind === 'text') return content
        const rel = link.kind === 'external' ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(link.href)}"${rel}>${content}</a>`
      },
      image({ href, text }) {
        const link = resolveLink(href, page, pages, root)
        links.push(link)
        if (link.kind === 'file' && href.endsWith('.svg')) return drawing(join(root, 'docs', link.path), text)
        return `<img src="${escapeHtml(link.href)}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      // Comments hold notes for the tests of the commands, and the names of the generators.
      html({ text }) {
        return text.replace(/<!--[\s\S]*?-->\n?/g, '')
      },
    },
  })
  return { html: marked.parse(page.source), headings, links }
}

// Drawings become part of the page, so that site.css gives them the colours of the theme; code-hosting sites show them in
// the colours that the file names.
function drawing(file, caption) {
  return `<span class="drawing" tabindex="0">${readFileSync(file, 'utf8')}<span class="caption">${escapeHtml(caption)}</span></span>`
}

// The anchors that code-hosting sites give to headings, so that one link works there and here.
function anchors() {
  const used = new Map()
  return (text) => {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

function highlight(text, language) {
  if (!language || !hljs.getLanguage(language)) return escapeHtml(text)
  return hljs.highlight(text, { language, ignoreIllegals: true }).value
}

export const plainText = (markdown) =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')

export const escapeHtml = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

// Markdown to HTML: headings with the anchors of code-hosting sites, code highlighted at build time, links to other pages
// as relative links that also work on another host. The HTML has no inline script and no style attribute.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import hljs from 'highlight.js'
import { Marked } from 'marked'
import { resolveLink } from './links.mjs'

// Returns { html, headings, links }: `headings` for "on this page" and the search, `links` for the check.
export function renderMarkdown(page, pages, root) {
  const headings = []
  const links = []
  const nextAnchor = anchors()
  const follow = (href) => {
    const link = resolveLink(href, page, pages, root)
    links.push(link)
    return link
  }
  const renderer = {
    heading({ tokens, depth, text }) {
      const heading = { depth, id: nextAnchor(plainText(text)), text: plainText(text) }
      headings.push(heading)
      return headingHtml(heading, this.parser.parseInline(tokens))
    },
    code: codeHtml,
    table(token) {
      return tableHtml(token, (cell) => this.parser.parseInline(cell.tokens))
    },
    link({ raw, href, tokens }) {
      const content = this.parser.parseInline(tokens)
      // A bare address is an example, such as http://HOST:PORT.
      return raw === href ? content : linkHtml(follow(href), content)
    },
    image({ href, text }) {
      return imageHtml(follow(href), text, root)
    },
    // Comments hold notes for the tests of the commands, and the names of the generators.
    html({ text }) {
      return text.replace(/<!--[\s\S]*?-->\n?/g, '')
    },
  }
  return { html: new Marked({ gfm: true, renderer }).parse(page.source), headings, links }
}

function headingHtml({ depth, id, text }, content) {
  if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`
  const label = `Link to “${escapeHtml(text)}”`
  return `<h${depth} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="${label}">#</a></h${depth}>\n`
}

// Blocks and tables that are too wide scroll in a box of their own, which the keyboard can reach.
function codeHtml({ text, lang }) {
  return `<pre class="code" tabindex="0"><code>${highlight(text, lang)}</code></pre>\n`
}

function tableHtml({ header, rows }, inline) {
  const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>`).join('\n')
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`
}

function linkHtml({ kind, href }, content) {
  if (kind === 'text' || kind === 'broken') return content
  return `<a href="${escapeHtml(href)}"${kind === 'external' ? ' rel="noreferrer"' : ''}>${content}</a>`
}

// Drawings become part of the page, so that site.css gives them the colours of the theme; code-hosting sites show them in
// the colours that the file names.
function imageHtml({ kind, href, path }, text, root) {
  if (kind !== 'file') return ''
  const content = readFileSync(join(root, 'docs', path))
  if (path.endsWith('.svg'))
    return `<span class="drawing" tabindex="0">${content}<span class="caption">${escapeHtml(text)}</span></span>`
  return `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}" loading="lazy"${pngSize(content)}>`
}

// With its size, the browser keeps room for a picture before it is loaded, and the text below does not jump.
function pngSize(content) {
  return ` width="${content.readUInt32BE(16)}" height="${content.readUInt32BE(20)}"`
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

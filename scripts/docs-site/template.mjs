// The page around the content: header with search, menu, "on this page", previous and next.
import { relativePath } from './links.mjs'
import { escapeHtml } from './markdown.mjs'

export function renderPage({ page, html, headings }, pages) {
  const to = (path) => relativePath(page, path)
  const title = page.path === 'index.html' ? 'Heliograph documentation' : `${page.title} · Heliograph`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f6f4">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#101114">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('icon.svg')}" type="image/svg+xml">
<script src="${to('theme.js')}"></script>
<link rel="stylesheet" href="${to('site.css')}">
<script defer src="${to('site.js')}"></script>
</head>
<body data-root="${to('.') || '.'}">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${to('index.html')}"><img src="${to('icon.svg')}" alt="" width="26" height="26"><span>Heliograph</span></a>
<search class="search">
<input type="search" placeholder="Search" aria-label="Search the documentation" aria-keyshortcuts="/" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" class="found" role="listbox" aria-label="Search results" hidden></ul>
</search>
<nav class="top-links" aria-label="Program">
<a href="${to('api')}">API reference</a>
<a href="${to('../app/')}">Console</a>
</nav>
</header>
<div class="columns">
${menu(page, pages, to)}
<main id="main" tabindex="-1">
<article class="prose">
${html}</article>
${neighbours(page, pages, to)}
</main>
${onThisPage(headings)}
</div>
</body>
</html>
`
}

// On a phone the menu is folded; without a script it can be unfolded all the same.
function menu(page, pages, to) {
  const sections = [...new Set(pages.map(({ section }) => section))]
  const groups = sections.map((section) => {
    const items = pages
      .filter((one) => one.section === section && one.isInMenu)
      .map((one) => {
        const current = one === page ? ' aria-current="page"' : ''
        return `<li><a href="${to(one.path)}"${current}>${escapeHtml(one.title)}</a></li>`
      })
    return `<p class="menu-title">${escapeHtml(section)}</p>\n<ul>\n${items.join('\n')}\n</ul>`
  })
  return `<details class="menu" open>
<summary>Menu</summary>
<nav aria-label="Pages">
${groups.join('\n')}
</nav>
</details>`
}

function neighbours(page, pages, to) {
  const listed = pages.filter(({ isInMenu }) => isInMenu)
  const index = listed.indexOf(page)
  if (index < 0) return ''
  const link = (one, word) =>
    one
      ? `<a class="${word.toLowerCase()}" href="${to(one.path)}"><span>${word}</span>${escapeHtml(one.title)}</a>`
      : ''
  return `<nav class="neighbours" aria-label="Previous and next page">${link(listed[index - 1], 'Previous')}${link(listed[index + 1], 'Next')}</nav>`
}

function onThisPage(headings) {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page">
<p class="menu-title">On this page</p>
<ul>
${items.join('\n')}
</ul>
</nav>`
}

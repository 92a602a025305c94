// Pages for people without a session: the look of the console's sign-in page, no other file, and no script but one written in the
// page. Their URLs are secrets, so browsers get no referrer and search engines no copy.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

// `content` is HTML, `title` is text. `reloadSeconds`: the page loads itself again after this time. `hasPictures`: of this server.
export type HtmlPage = {
  title: string
  content: string
  lang?: string
  reloadSeconds?: number
  script?: string
  hasPictures?: boolean
}

export function sendHtml(reply: FastifyReply, status: number, page: HtmlPage): FastifyReply {
  const headers = { ...HEADERS, 'content-security-policy': policyOf(page) }
  return reply.code(status).type('text/html; charset=utf-8').headers(headers).send(render(page))
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f6f4; --panel: #fff; --line: #d9d9d6; --control: #85868b; --ink: #1b1c1f;
  --soft: #595b61; --on-ink: #fff; --accent: #2a4fc4; --red: #b3261e; --red-soft: #fbefee; --green: #1d6b3a; --green-soft: #ecf3ee;
  --sun: #e89a00; --glass: #c3d0f7; --stand: #2a4fc4;
  font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101114; --panel: #17181c; --line: #33353a; --control: #777a83; --ink: #f1f1ef;
    --soft: #a7a9b0; --on-ink: #131417; --accent: #93b1ff; --red: #ff8f86; --red-soft: #2f2423; --green: #6fd597; --green-soft: #1c2b23;
    --sun: #ffc64b; --glass: #9fb6f2; --stand: #dbe5ff; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink); }
main { width: 100%; max-width: 29rem; padding: 1.5rem; }
.box { padding: 1.75rem 1.5rem; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); }
.mark { display: block; width: 48px; height: 48px; margin: 0 auto 1.25rem; fill: none; stroke-width: 1.7; stroke-linecap: round; }
.sun { fill: var(--sun); }
.ray, .beam { stroke: var(--sun); }
.beam { stroke-dasharray: .1 3.2; }
.glass { fill: var(--glass); stroke: var(--stand); stroke-width: 1.3; }
.stand { stroke: var(--stand); }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -.015em; overflow-wrap: anywhere; }
h2 { margin: 1.75rem 0 .35rem; font-size: 1rem; line-height: 1.3; }
p { margin: 0; overflow-wrap: anywhere; }
.sender { margin-bottom: .35rem; color: var(--soft); font-size: .85rem; font-weight: 600; }
.text { white-space: pre-line; }
.soft { color: var(--soft); font-size: .9rem; margin-top: 1rem; }
.note { margin-top: 1.25rem; padding: .7rem 1rem; border-radius: 10px; background: var(--ground); }
.done { background: var(--green-soft); color: var(--green); }
.refused { background: var(--red-soft); color: var(--red); }
pre { margin: 1rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
form, .links { display: grid; gap: .65rem; margin-top: 1.25rem; }
p a { color: var(--accent); }
code { padding: .1em .35em; border-radius: 5px; background: var(--ground); font-size: .9em; overflow-wrap: anywhere; }
textarea[readonly] { font: .75rem/1.5 ui-monospace, monospace; }
figure { display: grid; gap: .65rem; margin: 1rem 0 0; padding: .85rem; border-radius: 14px; background: var(--line); }
figure.pair { grid-template-columns: 1fr 1fr; }
figcaption { grid-column: 1 / -1; }
img { display: block; width: 100%; height: auto; }
label { font-size: .85rem; font-weight: 600; }
textarea { width: 100%; min-height: 5rem; padding: .6rem .75rem; border: 1px solid var(--control); border-radius: 10px;
  background: var(--panel); color: var(--ink); font: inherit; resize: vertical; }
button, .links a { width: 100%; min-height: 3rem; padding: .6rem 1rem; border: 1px solid var(--control); border-radius: 10px;
  background: var(--panel); color: var(--ink); font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  overflow-wrap: anywhere; cursor: pointer; }
button.primary { border-color: var(--ink); background: var(--ink); color: var(--on-ink); }
button.danger { color: var(--red); }
button:focus-visible, textarea:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const STYLE_HASH = hashOf(STYLE)

const policyOf = ({ script, hasPictures }: HtmlPage): string =>
  [
    `default-src 'none'; style-src ${STYLE_HASH}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    ...(script ? [`script-src ${hashOf(script)}`] : []),
    ...(hasPictures ? ["img-src 'self'"] : []),
  ].join('; ')

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

// The mark of the console.
const MARK = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
<circle class="sun" cx="10" cy="11" r="4.2"/>
<path class="ray" d="M10 2.8v1.7M4.2 5.2l1.2 1.2M1.8 11h1.7M15.8 5.2l-1.2 1.2M4.2 16.8l1.2-1.2M13.4 14l4 3.6"/>
<path class="beam" d="M20.5 15.5l8.3-8.3"/>
<ellipse class="glass" cx="19" cy="19.4" rx="7" ry="2.7" transform="rotate(-8 19 19.4)"/>
<path class="stand" d="M19.2 22.6v2.6M19.2 25.2l-4 4M19.2 25.2l4 4"/></svg>`

const render = ({ title, content, lang = 'en', reloadSeconds, script }: HtmlPage) => `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${reloadSeconds ? `<meta http-equiv="refresh" content="${reloadSeconds}">` : ''}
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${MARK}
<div class="box">
${content}
</div>
</main>
${script ? `<script>${script}</script>\n` : ''}</body>
</html>
`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapedHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

// A page with a sentence, and a button, a link or a command: behind the links in e-mails, at the addresses of hooks, and for a
// browser that is limited or at an unknown address. A GET changes nothing, because mail scanners open links.
export type LinkPage = {
  title: string
  text: string
  button?: string
  link?: Link
  code?: string
  reloadSeconds?: number
}
type Link = { path: string; text: string }

export function sendPage(reply: FastifyReply, status: number, page: LinkPage): FastifyReply {
  const { title, reloadSeconds } = page
  return sendHtml(reply, status, { title, content: contentOf(page), reloadSeconds })
}

const contentOf = ({ title, text, button, link, code }: LinkPage) => `<h1>${escapedHtml(title)}</h1>
<p>${escapedHtml(text)}</p>
${code ? `<pre>${escapedHtml(code)}</pre>` : ''}
${button ? `<form method="post"><button class="primary">${escapedHtml(button)}</button></form>` : ''}
${link ? `<p class="links"><a href="${escapedHtml(link.path)}">${escapedHtml(link.text)}</a></p>` : ''}`

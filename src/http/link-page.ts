// Small pages: those behind the links in e-mails and at the addresses of hooks, a sentence and a button or a command, and the
// one for a browser that is limited. They have no script and load no other file. A GET changes nothing, because mail
// scanners open links.
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

// `reloadSeconds`: the page loads itself again after this time.
export type LinkPage = { title: string; text: string; button?: string; code?: string; reloadSeconds?: number }

export function sendPage(reply: FastifyReply, status: number, page: LinkPage): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').headers(HEADERS).send(render(page))
}

const STYLE = `
:root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f2f2f7; color: #1c1c1e; }
main { max-width: 26rem; margin: 1rem; padding: 2rem; border-radius: 1rem; background: #fff; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.25; }
p { margin: 0; overflow-wrap: anywhere; }
pre { margin: 1rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
button { margin-top: 1.5rem; padding: .7rem 1.4rem; border: 0; border-radius: .7rem; font: inherit; font-weight: 600;
  background: #0b57d0; color: #fff; cursor: pointer; }
button:focus-visible { outline: 3px solid #0b57d0; outline-offset: 3px; }
@media (prefers-color-scheme: dark) {
  body { background: #000; color: #f2f2f7; }
  main { background: #1c1c1e; }
  button { background: #a8c7fa; color: #062e6f; }
  button:focus-visible { outline-color: #a8c7fa; }
}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  // The URL of the page is a secret of the recipient.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

const render = ({ title, text, button, code, reloadSeconds }: LinkPage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reloadSeconds ? `<meta http-equiv="refresh" content="${reloadSeconds}">` : ''}
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapedHtml(title)}</h1>
<p>${escapedHtml(text)}</p>
${code ? `<pre>${escapedHtml(code)}</pre>` : ''}
${button ? `<form method="post"><button>${escapedHtml(button)}</button></form>` : ''}
</main>
</body>
</html>
`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapedHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

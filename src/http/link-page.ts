// A page with a sentence, and a button or a command: behind the links in e-mails and at the addresses of hooks. A GET changes
// nothing, because mail scanners open links.
import type { FastifyReply } from 'fastify'
import { escapedHtml, sendHtml } from './pages/html.ts'

export type LinkPage = { title: string; text: string; button?: string; code?: string }

export function sendPage(reply: FastifyReply, status: number, page: LinkPage): FastifyReply {
  return sendHtml(reply, status, { title: page.title, content: contentOf(page) })
}

const contentOf = ({ title, text, button, code }: LinkPage) => `<h1>${escapedHtml(title)}</h1>
<p>${escapedHtml(text)}</p>
${code ? `<pre>${escapedHtml(code)}</pre>` : ''}
${button ? `<form method="post"><button class="primary">${escapedHtml(button)}</button></form>` : ''}`

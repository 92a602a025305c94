// A page with a sentence and at most one button, such as the pages behind the links in e-mails. A GET changes nothing,
// because mail scanners open links.
import type { FastifyReply } from 'fastify'
import { escapedHtml, sendHtml } from './pages/html.ts'

export type LinkPage = { title: string; text: string; button?: string }

export function sendPage(reply: FastifyReply, status: number, page: LinkPage): FastifyReply {
  return sendHtml(reply, status, { title: page.title, content: contentOf(page) })
}

const contentOf = ({ title, text, button }: LinkPage) => `<h1>${escapedHtml(title)}</h1>
<p>${escapedHtml(text)}</p>
${button ? `<form method="post"><button class="primary">${escapedHtml(button)}</button></form>` : ''}`

// A page with a sentence, and a button, a link or a command: behind the links in e-mails, at the addresses of hooks, and for a
// browser that is limited or at an unknown address. A GET changes nothing, because mail scanners open links.
import type { FastifyReply } from 'fastify'
import { escapedHtml, sendHtml } from './pages/html.ts'

// `reloadSeconds`: the page loads itself again after this time.
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

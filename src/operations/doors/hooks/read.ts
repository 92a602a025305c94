// Reads what a request to a hook says: by the rules of its kind, or by the template of the hook.
import { readDocument } from '../../../domain/doors/hooks/document.ts'
import type { Hook, HookKind, HookTemplate } from '../../../domain/doors/hooks/hook.ts'
import { readReport, recognizedKind } from '../../../domain/doors/hooks/kinds.ts'
import type { Dropped, HookDocument, HookMessage } from '../../../domain/doors/hooks/message.ts'
import type { HookRequest } from '../../../domain/doors/hooks/request.ts'
import { fromFailedTemplate, fromTemplate } from '../../../domain/doors/hooks/template.ts'
import type { Context } from '../../context.ts'

// Larger bodies wait for a slice, as those of our own routes do.
const LARGE_BODY_BYTES = 16 * 1024

// `templateError`: why the message is not the one of the template.
export type ReadRequest = { kind: HookKind; document: HookDocument }
export type Read = { report: HookMessage | Dropped; templateError?: string }

export async function readRequest(ctx: Context, { userId, kind }: Hook, request: HookRequest): Promise<ReadRequest> {
  const read = async () => {
    const document = await readDocument(request)
    return { document, kind: kind === 'auto' ? recognizedKind(document) : kind }
  }
  return request.body.length > LARGE_BODY_BYTES ? ctx.slices(userId, read) : read()
}

export async function readMessage(ctx: Context, hook: Hook, { kind, document }: ReadRequest): Promise<Read> {
  if (kind === 'template' && hook.template) return renderMessage(ctx, hook, hook.template, document)
  const readable = kind === 'auto' || kind === 'template' ? 'generic' : kind
  const read = () => ({ report: readReport(readable, document, hook.options) })
  return document.text.length > LARGE_BODY_BYTES ? ctx.slices(hook.userId, read) : read()
}

async function renderMessage(ctx: Context, hook: Hook, template: HookTemplate, document: HookDocument): Promise<Read> {
  const { headers, query, text, json } = document
  // A form is given to the template as an object, too.
  const body = typeof json === 'object' && json !== null && !/^\s*[[{]/.test(text) ? JSON.stringify(json) : text
  const rendered = await ctx.templates.render(hook.userId, template, { body, headers, query })
  if ('fields' in rendered) return { report: fromTemplate(rendered.fields, document) }
  return { report: fromFailedTemplate(hook, rendered.error, text), templateError: rendered.error }
}

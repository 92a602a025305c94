// Reads what a request to a hook says: by the rules of its kind, or by the template of the hook.
import { Problem } from '../../contract/problems.ts'
import { readDocument } from '../../domain/hooks/document.ts'
import type { Hook, HookKind, HookTemplate } from '../../domain/hooks/hook.ts'
import { fromGeneric } from '../../domain/hooks/kinds/generic.ts'
import { readRecognized, readReport } from '../../domain/hooks/kinds.ts'
import type { Dropped, HookDocument, HookMessage } from '../../domain/hooks/message.ts'
import type { HookRequest } from '../../domain/hooks/request.ts'
import { fromFailedTemplate, fromTemplate } from '../../domain/hooks/template.ts'
import type { TemplateScope } from '../../runtime/templates/liquid.ts'
import type { Context } from '../context.ts'

// Larger bodies wait for a slice, as those of our own routes do.
const LARGE_BODY_BYTES = 16 * 1024

type Report = HookMessage | Dropped

// Does not hold the parsed document: garbage collection copies what lives, and takes 35 ms if sixteen large documents wait.
export type ReadRequest = { kind: HookKind } & ({ report: Report } | { refusal: Problem } | { toRender: ToRender })

// `otherwise`: the message without the template.
type ToRender = { template: HookTemplate; scope: TemplateScope; text: string; otherwise: HookMessage }

// `templateError`: why the message is not the one of the template.
export type Read = { report: Report; templateError?: string }

export async function readRequest(ctx: Context, hook: Hook, request: HookRequest): Promise<ReadRequest> {
  const read = async () => readByKind(hook, await readDocument(request))
  return request.body.length > LARGE_BODY_BYTES ? ctx.slices(hook.userId, read) : read()
}

function readByKind({ kind, template, options }: Hook, document: HookDocument): ReadRequest {
  if (kind === 'auto') return readRecognized(document, options)
  if (kind === 'template' && template) return { kind, toRender: toRender(template, document) }
  try {
    return { kind, report: readReport(kind === 'template' ? 'generic' : kind, document, options) }
  } catch (error) {
    if (error instanceof Problem) return { kind, refusal: error }
    throw error
  }
}

function toRender(template: HookTemplate, document: HookDocument): ToRender {
  const { headers, query, text, json } = document
  // A form is given to the template as an object, too.
  const body = typeof json === 'object' && json !== null && !/^\s*[[{]/.test(text) ? JSON.stringify(json) : text
  return { template, scope: { body, headers, query }, text, otherwise: fromGeneric(document) }
}

export async function readMessage(ctx: Context, hook: Hook, read: ReadRequest): Promise<Read> {
  if ('report' in read) return { report: read.report }
  if ('refusal' in read) throw read.refusal
  const { template, scope, text, otherwise } = read.toRender
  const rendered = await ctx.templates.render(hook.userId, template, scope)
  if ('fields' in rendered) return { report: fromTemplate(rendered.fields, otherwise) }
  return { report: fromFailedTemplate(hook, rendered.error, text), templateError: rendered.error }
}

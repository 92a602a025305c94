// Runs a tool for a caller. A problem is a result too: its text tells the model what to change.
import { PROBLEMS, Problem } from '../../contract/problems.ts'
import { boundedViolations, excerpt } from '../../contract/validation.ts'
import type { Caller } from '../../domain/caller.ts'
import { requireLevel } from '../../domain/permissions.ts'
import type { Context } from '../../operations/context.ts'
import type { Call, Tool } from './tool.ts'

// `text`: the result as JSON, or the words of the error.
export type CallResult = { text: string; isError: boolean }

export async function callTool(
  ctx: Context,
  caller: Caller,
  { tool, args }: { tool: Tool; args: unknown },
  call: Call,
): Promise<CallResult> {
  try {
    requireLevel(caller, tool.access.resource, tool.access.level)
    return { text: JSON.stringify(await tool.run(ctx, caller, args, call)), isError: false }
  } catch (error) {
    if (!(error instanceof Problem)) {
      ctx.log.error({ err: error, tool: tool.description.name, user: caller.userId }, 'tool failed')
      return { text: 'internal_error: Something went wrong on the server; the call may be repeated.', isError: true }
    }
    // The refusals of senders are part of the usage of the account.
    if (tool.description.annotations.openWorldHint) ctx.dailyCounts.noteRefused(caller, error.code, ctx.clock.now())
    return { text: problemText(error), isError: true }
  }
}

const DETAIL_CHARS = 1000

// The rules speak of the body of a request, which is the arguments of a call.
const ofArguments = (text: string) => text.replace(/\bbody(?=[.[])/g, 'arguments').replace(/^body\b/, 'arguments')

function problemText({ code, problem, detail, members }: Problem): string {
  const violations = boundedViolations(members.errors ?? [])
  const isList = violations.length > 0
  const lines = isList
    ? [
        `${code}: Change these arguments:`,
        ...violations.map(({ location, message }) => `- ${ofArguments(location)} ${message}`),
      ]
    : [`${code}: ${excerpt(detail, DETAIL_CHARS)}`, PROBLEMS[problem].when]
  if (members.retry_after_ms !== undefined) lines.push(`Try again in ${Math.ceil(members.retry_after_ms / 1000)} s.`)
  return lines.join('\n')
}

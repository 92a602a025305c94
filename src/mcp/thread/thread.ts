// The thread in which the official SDK speaks the protocol. Loading the SDK takes more than 200 ms of one turn of the event
// loop and 30 MB, so it is loaded in a thread, which starts with the first request. The tools run in the server itself.
import type { Log } from '../../runtime/log.ts'
import { createThreads, entryBeside, type Threads } from '../../runtime/threads/host.ts'
import type { CallResult } from '../tools/call.ts'
import type { Progress, ToolDescription } from '../tools/tool.ts'

// A task of the thread: one HTTP request and its response, which holds at most one call of a tool.
export type Exchange = {
  headers: Record<string, string>
  // One JSON-RPC message.
  message: object
  // The tools that the caller may use.
  toolNames: string[]
  // Answer as an event stream from the beginning, because the result may take an hour.
  isLong: boolean
}

export type ToExchange = { progress: Progress } | { result: CallResult }

export type FromExchange =
  | { head: { status: number; headers: Record<string, string> } }
  | { chunk: Uint8Array }
  | { call: { tool: string; args: unknown } }

export const createProtocolThread = (
  log: Log,
  tools: ToolDescription[],
): Threads<Exchange, void, ToExchange, FromExchange> =>
  createThreads(log, {
    name: 'MCP',
    entry: entryBeside(import.meta.url),
    // A copy, because schemas have members that cannot be sent to a thread.
    data: JSON.parse(JSON.stringify(tools)),
    tasksPerThread: Number.POSITIVE_INFINITY,
    memoryMb: 192,
  })

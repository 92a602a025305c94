// What the server and the thread of the protocol tell each other. An exchange is one HTTP request and its response; it
// holds at most one call of a tool.
import type { CallResult } from '../tools/call.ts'
import type { Progress, ToolDescription } from '../tools/tool.ts'

export type ThreadData = { tools: ToolDescription[] }

export type Exchange = {
  headers: Record<string, string>
  // One JSON-RPC message.
  message: object
  // The tools that the caller may use.
  toolNames: string[]
  // Answer as an event stream from the beginning, because the result may take an hour.
  isLong: boolean
}

export type ToThread = { exchange: number } & (
  | ({ kind: 'begin' } & Exchange)
  | { kind: 'abort' }
  | ({ kind: 'progress' } & Progress)
  | ({ kind: 'result' } & CallResult)
)

export type FromThread = { exchange: number } & (
  | { kind: 'head'; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'end' }
  | { kind: 'call'; tool: string; args: unknown }
)

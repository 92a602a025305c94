// The entry of the thread that speaks the protocol.
import { parentPort, workerData } from 'node:worker_threads'
import { preloadSchemas } from '@modelcontextprotocol/server'
import type { CallResult } from '../tools/call.ts'
import type { Progress } from '../tools/tool.ts'
import type { FromThread, ThreadData, ToThread } from './messages.ts'
import { answerExchange, type CallTool } from './protocol.ts'

type Open = { abort: AbortController; onProgress?(progress: Progress): void; onResult?(result: CallResult): void }

const { tools }: ThreadData = workerData
const open = new Map<number, Open>()
const post = (message: FromThread) => parentPort?.postMessage(message)

preloadSchemas()

parentPort?.on('message', (message: ToThread) => {
  const known = open.get(message.exchange)
  switch (message.kind) {
    case 'begin':
      void serve(message.exchange, message)
      break
    case 'abort':
      known?.abort.abort()
      break
    case 'progress':
      known?.onProgress?.(message)
      break
    case 'result':
      known?.onResult?.({ text: message.text, isError: message.isError })
      break
  }
})

async function serve(exchange: number, begin: ToThread & { kind: 'begin' }): Promise<void> {
  const here: Open = { abort: new AbortController() }
  open.set(exchange, here)
  const callTool: CallTool = (tool, args, onProgress) =>
    new Promise((resolve) => {
      here.onProgress = onProgress
      here.onResult = resolve
      post({ kind: 'call', exchange, tool, args })
    })
  try {
    const response = await answerExchange(begin, { tools, callTool, signal: here.abort.signal })
    post({ kind: 'head', exchange, status: response.status, headers: Object.fromEntries(response.headers) })
    for await (const bytes of response.body ?? []) post({ kind: 'chunk', exchange, bytes })
  } catch (error) {
    // The client has disconnected, or the SDK has failed: either way nobody reads the rest.
    if (!here.abort.signal.aborted) console.error('mcp:', error)
  } finally {
    open.delete(exchange)
    post({ kind: 'end', exchange })
  }
}

// The thread in which the official SDK speaks the protocol. Loading the SDK takes more than 200 ms of one turn of the event
// loop and 30 MB, so it is loaded in a thread, which starts with the first request. The tools run in the server itself.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../runtime/log.ts'
import type { CallResult } from '../tools/call.ts'
import type { Progress, ToolDescription } from '../tools/tool.ts'
import type { Exchange, FromThread, ThreadData, ToThread } from './messages.ts'

// What an exchange asks of the server.
export type ExchangeEvents = {
  onHead(status: number, headers: Record<string, string>): void
  onChunk(bytes: Uint8Array): void
  // No head has come before if the exchange has failed.
  onEnd(): void
  // Never rejects.
  callTool(tool: string, args: unknown, onProgress: (progress: Progress) => void): Promise<CallResult>
}

export type ProtocolThread = {
  // Returns the function that aborts the exchange.
  begin(exchange: Exchange, events: ExchangeEvents): () => void
  close(): Promise<void>
}

const ENTRY = new URL(`./thread-entry${extname(import.meta.url)}`, import.meta.url)
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

export function createProtocolThread(log: Log, tools: ToolDescription[]): ProtocolThread {
  // A copy, because schemas have members that cannot be sent to a thread.
  const workerData: ThreadData = JSON.parse(JSON.stringify({ tools }))
  const open = new Map<number, ExchangeEvents>()
  let worker: Worker | undefined
  let lastNumber = 0

  const post = (message: ToThread) => worker?.postMessage(message)

  async function handleCall(exchange: number, { callTool }: ExchangeEvents, tool: string, args: unknown) {
    const result = await callTool(tool, args, (progress) => post({ kind: 'progress', exchange, ...progress }))
    post({ kind: 'result', exchange, ...result })
  }

  function handle(message: FromThread) {
    const { exchange } = message
    const events = open.get(exchange)
    if (!events) return
    if (message.kind === 'head') events.onHead(message.status, message.headers)
    if (message.kind === 'chunk') events.onChunk(message.bytes)
    if (message.kind === 'call') void handleCall(exchange, events, message.tool, message.args)
    if (message.kind === 'end') settle(exchange, events)
  }

  function settle(exchange: number, events: ExchangeEvents) {
    open.delete(exchange)
    if (open.size === 0) worker?.unref()
    events.onEnd()
  }

  function start(): Worker {
    const started = new Worker(ENTRY, { resourceLimits: MEMORY, workerData })
    started.on('message', handle)
    started.on('error', (error) => log.error({ err: error }, 'the thread for MCP has failed'))
    started.on('exit', () => {
      worker = undefined
      for (const [exchange, events] of open) settle(exchange, events)
    })
    return started
  }

  return {
    begin(exchange, events) {
      worker ??= start()
      worker.ref()
      const number = ++lastNumber
      open.set(number, events)
      post({ kind: 'begin', exchange: number, ...exchange })
      return () => post({ kind: 'abort', exchange: number })
    },
    async close() {
      await worker?.terminate()
    },
  }
}

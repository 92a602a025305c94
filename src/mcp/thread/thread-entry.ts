// The entry of the thread that speaks the protocol.
import { preloadSchemas } from '@modelcontextprotocol/server'
import { createRelayedLog } from '../../runtime/log.ts'
import { data, logLevel, postLogLine, serveTasks } from '../../runtime/threads/entry.ts'
import type { ToolDescription } from '../tools/tool.ts'
import { answerExchange, type CallTool } from './protocol.ts'
import type { Exchange, FromExchange, ToExchange } from './thread.ts'

const log = createRelayedLog(logLevel, postLogLine)
const tools = data as ToolDescription[]

preloadSchemas()

serveTasks<Exchange, void, ToExchange, FromExchange>(async (exchange, link) => {
  const callTool: CallTool = (tool, args, onProgress) =>
    new Promise((resolve) => {
      link.onMessage = (message) => ('result' in message ? resolve(message.result) : onProgress(message.progress))
      link.send({ call: { tool, args } })
    })
  try {
    const response = await answerExchange(exchange, { tools, callTool, signal: link.signal })
    link.send({ head: { status: response.status, headers: Object.fromEntries(response.headers) } })
    for await (const chunk of response.body ?? []) link.send({ chunk })
  } catch (error) {
    // The client has disconnected, or the SDK has failed: either way nobody reads the rest.
    if (!link.signal.aborted) log.error({ err: error }, 'a request of the Model Context Protocol has failed')
  }
})

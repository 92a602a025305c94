// The Model Context Protocol, spoken by the official SDK: handshakes, versions, message shapes and event streams. Each
// request is served by an instance of its own, so nothing is kept between requests.
import { existsSync, readFileSync } from 'node:fs'
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server'
import { VERSION } from '../../runtime/version.ts'
import type { CallResult } from '../tools/call.ts'
import type { Progress, ToolDescription } from '../tools/tool.ts'
import type { Exchange } from './thread.ts'

export type CallTool = (tool: string, args: unknown, onProgress: (progress: Progress) => void) => Promise<CallResult>

// A page of the documentation or of the catalogue of errors, which clients read as resources.
type Page = { uri: string; name: string; title: string; text: string }

// `npm run build` writes the file. The path is the same from src/mcp/thread and from dist/mcp/thread.
const FILE = new URL('../../../dist/docs/pages.json', import.meta.url)

// Empty before the first build.
const PAGES: Page[] = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8')).map((page: Omit<Page, 'uri'>) => ({ uri: `docs://${page.name}`, ...page }))
  : []

export function answerExchange(
  { headers, message, toolNames, isLong }: Exchange,
  { tools, callTool, signal }: { tools: ToolDescription[]; callTool: CallTool; signal: AbortSignal },
): Promise<Response> {
  const allowed = tools.filter(({ name }) => toolNames.includes(name))
  const handler = createMcpHandler(() => createServer(allowed, tools, callTool), {
    // No list changes while a client listens, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    responseMode: isLong ? 'sse' : 'auto',
  })
  return handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, signal }), {
    parsedBody: message,
  })
}

function createServer(allowed: ToolDescription[], tools: ToolDescription[], callTool: CallTool): Server {
  const server = new Server(
    { name: 'heliograph', title: 'Heliograph', version: VERSION },
    { capabilities: { tools: {}, resources: {} } },
  )
  server.setRequestHandler('tools/list', () => ({ tools: allowed as never }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    // A tool that exists is called even if it is not allowed: the refusal names the level that the token lacks.
    if (!tools.some(({ name }) => name === params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    }
    const progressToken = mcpReq._meta?.progressToken
    const { text, isError } = await callTool(params.name, params.arguments ?? {}, ({ seconds, ofSeconds, message }) => {
      if (progressToken === undefined) return
      const progress = { progressToken, progress: seconds, total: ofSeconds, message }
      // Fails only if the client has disconnected, which ends the call.
      void mcpReq.notify({ method: 'notifications/progress', params: progress }).catch(() => {})
    })
    const content = [{ type: 'text' as const, text }]
    return isError ? { content, isError } : { content, structuredContent: JSON.parse(text) }
  })
  server.setRequestHandler('resources/list', () => ({
    resources: PAGES.map(({ text: _, ...page }) => ({ ...page, mimeType: MARKDOWN })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const page = PAGES.find((one) => one.uri === uri)
    if (!page) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: MARKDOWN, text: page.text }] }
  })
  return server
}

const MARKDOWN = 'text/markdown'

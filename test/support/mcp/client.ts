// The official client of the Model Context Protocol, connected to a server under test.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

// `legacy`: the revisions before 2026-07-28, with a handshake; most programs speak one of them.
export const MCP_ERAS = ['legacy', '2026-07-28'] as const
export type McpEra = (typeof MCP_ERAS)[number]

export async function connectMcp(url: string, token: string, era: McpEra = 'legacy'): Promise<Client> {
  const client = createMcpClient(era)
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

export const createMcpClient = (era: McpEra): Client =>
  new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  )

export type ToolResult = { structuredContent?: Record<string, unknown>; text: string; isError: boolean }

type CallOptions = Parameters<Client['callTool']>[1]

type RawResult = Pick<Awaited<ReturnType<Client['callTool']>>, 'structuredContent' | 'content' | 'isError'>

// The client holds a result against the output schema of its tool, if it has listed the tools.
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options?: CallOptions,
): Promise<ToolResult> {
  return toResult(await client.callTool({ name, arguments: args }, options))
}

export function toResult({ structuredContent, content, isError = false }: RawResult): ToolResult {
  const [first] = content
  return {
    structuredContent: structuredContent as Record<string, unknown> | undefined,
    text: first?.type === 'text' ? first.text : '',
    isError,
  }
}

// The names of the tools, in their order.
export const toolNames = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name)

// heliograph mcp: the Model Context Protocol over standard input and output, for programs that start a command. Each line is
// a message, which is passed on to /mcp of the server; what the server answers is written as lines.
import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { readMessages } from '../../contract/events/server-sent-events.ts'
import { connectionError, readDocument, type Server, serverFor } from './api.ts'
import { withServer } from './arguments/options.ts'
import { ClientError } from './errors.ts'
import { open, readText } from './http.ts'

// The server writes a comment into a stream every 15 seconds; a connection that is silent for longer is dead.
const SILENCE_MS = 50_000
// Calls that still run when the program closes the input.
const LAST_CALLS_MS = 5000
const ERROR_CODES = { parse: -32_700, server: -32_000 }

type Id = string | number
type Message = {
  id?: Id
  method?: string
  params?: { name?: string; uri?: string; requestId?: Id; _meta?: Record<string, unknown> }
  result?: { protocolVersion?: string }
}

export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description(
      'speak the Model Context Protocol over standard input and output, for agents that start a command; the tools are those that the token allows',
    )
    .summary('connect an agent: MCP over standard input and output')
  withServer(command, 'HELIOGRAPH_URL=https://push.example.org HELIOGRAPH_TOKEN=hlk_… heliograph mcp')
  return command.action(() => passMessagesOn(serverFor(command)))
}

async function passMessagesOn(server: Server): Promise<void> {
  const proxy = createProxy(server)
  const running = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const done = proxy.pass(line)
    running.add(done)
    void done.finally(() => running.delete(done))
  }
  await Promise.race([Promise.all(running), sleep(LAST_CALLS_MS, undefined, { ref: false })])
  proxy.close()
}

function createProxy(server: Server) {
  // From the handshake of the revisions before 2026-07-28.
  let session: string | undefined
  let version: string | undefined
  const responses = new Map<Id, IncomingMessage>()

  const headersOf = ({ method = '', params }: Message): Record<string, string> => ({
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session && { 'mcp-session-id': session }),
    ...standardHeaders(method, params, version),
  })

  async function send(message: Message, body: string): Promise<void> {
    const options = { method: 'POST', headers: headersOf(message), body, timeoutMs: SILENCE_MS }
    const response = await open(`${server.url}/mcp`, options).catch((error) => {
      throw connectionError(server.url, error, SILENCE_MS)
    })
    if (message.id !== undefined) responses.set(message.id, response)
    const given = response.headers['mcp-session-id']
    if (typeof given === 'string') session = given
    for await (const answer of answersIn(server, response)) {
      if (message.method === 'initialize') version = (JSON.parse(answer) as Message).result?.protocolVersion ?? version
      process.stdout.write(`${answer}\n`)
    }
  }

  return {
    // Never rejects.
    async pass(line: string): Promise<void> {
      const message = parse(line)
      if (!message) return writeError(undefined, ERROR_CODES.parse, 'The line is not valid JSON.')
      if (message.method === 'notifications/cancelled') {
        // The server stops waiting when the connection of the call is closed.
        responses.get(message.params?.requestId ?? '')?.destroy()
        return
      }
      try {
        await send(message, line)
      } catch (error) {
        report(message, error)
      } finally {
        if (message.id !== undefined) responses.delete(message.id)
      }
    },
    close() {
      for (const response of responses.values()) response.destroy()
    },
  }
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion'

// The headers of the revision 2026-07-28 repeat what a message says; older servers ignore them.
function standardHeaders(
  method: string,
  params: Message['params'],
  version: string | undefined,
): Record<string, string> {
  const stated = params?._meta?.[VERSION_META]
  if (typeof stated !== 'string') return version === undefined ? {} : { 'mcp-protocol-version': version }
  const name = params?.name ?? params?.uri
  return { 'mcp-protocol-version': stated, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }
}

// The JSON texts of the messages in a response.
async function* answersIn({ url }: Server, response: IncomingMessage): AsyncGenerator<string> {
  const { statusCode: status = 0, headers } = response
  if (headers['content-type']?.startsWith('text/event-stream')) {
    for await (const { data } of readMessages(response.setEncoding('utf8'))) if (data !== '') yield data
    return
  }
  const text = await readText(response)
  if (status === 202) return
  const document = isMessage(text) ? JSON.parse(text) : readDocument(url, { status, headers, text })
  yield JSON.stringify(document)
}

// The server answers with a message also if it refuses one; proxies and the checks before it answer otherwise.
const isMessage = (text: string): boolean => parse(text)?.jsonrpc === '2.0'

function parse(text: string): (Message & { jsonrpc?: string }) | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

// A call that was canceled gets no answer: its connection was closed on purpose.
function report({ id }: Message, error: unknown): void {
  if (!(error instanceof ClientError)) {
    if (id !== undefined && !isAborted(error))
      writeError(id, ERROR_CODES.server, 'The connection was lost; call again.')
    return
  }
  if (id === undefined) console.error(`heliograph: ${error.message}`)
  else writeError(id, ERROR_CODES.server, error.message)
}

const isAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

function writeError(id: Id | undefined, code: number, message: string): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } })}\n`)
}

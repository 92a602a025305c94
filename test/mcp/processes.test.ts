// The official client against the built server, over HTTP and through `heliograph mcp`: lists and calls every tool.
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { MAIN } from '../support/heliograph-process.ts'
import { callTool, connectMcp, createMcpClient, MCP_ERAS, type McpEra, toolNames } from '../support/mcp/client.ts'
import { startMcpServer } from '../support/mcp/server.ts'
import { callEveryTool } from '../support/mcp/tour.ts'

async function connectOverStdio(url: string, token: string, era: McpEra) {
  const client = createMcpClient(era)
  const env = { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: token }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }))
  onTestFinished(() => client.close())
  return client
}

const WAYS = [
  ['HTTP', connectMcp],
  ['stdio', connectOverStdio],
] as const

describe.each(WAYS)('over %s', (_way, connect) => {
  test.each(MCP_ERAS)('every tool is listed and called (%s)', async (era) => {
    const server = await startMcpServer()
    const person = await server.addPerson()
    const client = await connect(server.url, person.token, era)
    const listed = await toolNames(client)
    const called = await callEveryTool((name, args) => callTool(client, name, args), createClient(server.url), person)
    expect(called.sort()).toEqual(listed.sort())
    expect((await client.readResource({ uri: 'docs://errors' })).contents).toHaveLength(1)
  })

  test.each(MCP_ERAS)('a canceled call stops waiting, and the next one works (%s)', async (era) => {
    const server = await startMcpServer()
    const { token } = await server.addPerson()
    const client = await connect(server.url, token, era)
    const api = createClient(server.url)
    for (let round = 0; round < 6; round++) {
      const cancel = new AbortController()
      const asked = callTool(client, 'ask_human', { question: `Round ${round}?` }, { signal: cancel.signal })
      await expect
        .poll(async () => (await api.get('/notifications', token)).body.items.length, { timeout: 20_000 })
        .toBe(round + 1)
      cancel.abort()
      await expect(asked).rejects.toThrow()
    }
    // Six calls that still waited would take more than the slots of the account, and this one would not wait.
    await expect
      .poll(
        async () => (await callTool(client, 'ask_human', { question: 'Last?', timeout_seconds: 10 })).structuredContent,
        { timeout: 60_000 },
      )
      .toMatchObject({ note: expect.stringContaining('within 10 seconds') })
  })
})

test('a revoked token ends an open call within a second', async () => {
  const server = await startMcpServer()
  const { token } = await server.addPerson()
  const api = createClient(server.url)
  const { id, key } = (await api.post('/integrations/keys', { name: 'agent' }, token)).body
  const client = await connectOverStdio(server.url, key, 'legacy')
  const asked = callTool(client, 'ask_human', { question: 'Deploy?' })
  await expect.poll(async () => (await api.get('/notifications', token)).body.items.length, { timeout: 20_000 }).toBe(1)
  await api.del(`/integrations/keys/${id}`, token)
  expect(await asked).toMatchObject({ isError: true, text: expect.stringContaining('token.invalid') })
  await expect(client.listTools()).rejects.toThrow('token')
})

test('a server that cannot be reached is an answer, not an end of the command', async () => {
  const client = createMcpClient('legacy')
  const env = { HELIOGRAPH_URL: 'http://127.0.0.1:1', HELIOGRAPH_TOKEN: `hlk_${'0'.repeat(32)}` }
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, stderr: 'pipe' })
  await expect(client.connect(transport)).rejects.toThrow(/127\.0\.0\.1:1/)
})

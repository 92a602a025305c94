// The command line of the MCP inspector lists and calls every tool, over HTTP and by starting `heliograph mcp`; and the suite of the
// protocol's authors finds the server conformant.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { MAIN } from '../support/heliograph-process.ts'
import { toResult } from '../support/mcp/client.ts'
import { startMcpServer } from '../support/mcp/server.ts'
import { callEveryTool } from '../support/mcp/tour.ts'

const run = promisify(execFile)
let folder: string
const bin = (name: string) => join(folder, 'node_modules/.bin', name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-mcp-'))
  const packages = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/conformance@0.1.16']
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the inspector', () => {
  test.each(['HTTP', 'stdio'])('lists and calls every tool over %s', async (way) => {
    const server = await startMcpServer()
    const person = await server.addPerson()
    const { token } = person
    const target =
      way === 'HTTP'
        ? [`${server.url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
        : ['-e', `HELIOGRAPH_URL=${server.url}`, '-e', `HELIOGRAPH_TOKEN=${token}`, process.execPath, MAIN, 'mcp']
    const inspect = async (...args: string[]) => {
      const { stdout } = await run(bin('mcp-inspector'), ['--cli', ...target, ...args], {
        env: { ...process.env, HOME: folder },
      })
      return JSON.parse(stdout)
    }
    const call = async (name: string, args: Record<string, unknown>) => {
      const values = Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${argument(value)}`])
      return toResult(await inspect('--method', 'tools/call', '--tool-name', name, ...values))
    }
    const listed = (await inspect('--method', 'tools/list')).tools.map(({ name }: { name: string }) => name)
    expect((await callEveryTool(call, createClient(server.url), person)).sort()).toEqual(listed.sort())
    expect((await inspect('--method', 'resources/list')).resources.length).toBeGreaterThan(20)
  })
})

const argument = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

// The other scenarios need tools, prompts and features of an example server.
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

test('the conformance suite passes what it asks of every server', async () => {
  const server = await startMcpServer()
  const { token } = await server.addPerson()
  const url = await startProxyWithToken(server.url, token)
  for (const scenario of SCENARIOS) {
    // Fails the test if a check of the scenario fails.
    const { stdout } = await run(bin('conformance'), ['server', '--url', `${url}/mcp`, '--scenario', scenario], {
      cwd: folder,
    })
    expect(stdout, scenario).toContain('0 failed')
  }
})

// The suite cannot send a token.
async function startProxyWithToken(target: string, token: string): Promise<string> {
  const { hostname, port } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const { url: path, method } = incoming
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const passed = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

// Configuration of agents that use the server's tools over MCP: each program has a file, or a command, of its own.
import { ALLOW_ADDRESS, commandLineFile } from '../../../src/contract/clients.ts'

type Server = { url: string; key: string }

const json = (value: object): string => JSON.stringify(value, undefined, 2)
const headers = ({ key }: Server) => ({ Authorization: `Bearer ${key}` })
const endpoint = ({ url }: Server) => `${url}/mcp`

export const claudeCode = (server: Server): string =>
  `claude mcp add --transport http heliograph ${endpoint(server)} \\\n  --header "Authorization: Bearer ${server.key}"`

// It starts a command: its settings for servers on the web ask for OAuth.
export const claudeDesktop = ({ url, key }: Server): string =>
  json({
    mcpServers: {
      heliograph: {
        command: 'npx',
        args: ['-y', ALLOW_ADDRESS, '--package', commandLineFile(url), 'heliograph', 'mcp'],
        env: { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: key },
      },
    },
  })

export const cursor = (server: Server): string =>
  json({ mcpServers: { heliograph: { url: endpoint(server), headers: headers(server) } } })

export const vsCode = (server: Server): string =>
  json({ servers: { heliograph: { type: 'http', url: endpoint(server), headers: headers(server) } } })

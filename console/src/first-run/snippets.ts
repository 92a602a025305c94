// What a person copies into a program: configuration of agents that use the server's tools over MCP, and the first lines of a
// program that uses one of the client libraries.
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

type Message = { title: string; body: string }

export const settings = (server: string, key: string): string =>
  `export HELIOGRAPH_URL=${server}\nexport HELIOGRAPH_TOKEN=${key}`

export const typescript = ({ title, body }: Message): string =>
  `import { createClient } from '@heliograph/client'

const { HELIOGRAPH_URL, HELIOGRAPH_TOKEN } = process.env
const client = createClient({ url: HELIOGRAPH_URL, token: HELIOGRAPH_TOKEN })
await client.send(${JSON.stringify({ title, body })})`

export const python = ({ title, body }: Message): string =>
  `from heliograph import Client

Client().send(${JSON.stringify(title)}, ${JSON.stringify(body)})`

export const shell = ({ title, body }: Message): string =>
  `. ./heliograph.sh
heliograph send '${title}' '${body}'`

// The first lines of a program that uses one of the client libraries, with a message to send.

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

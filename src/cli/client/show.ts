// heliograph widget show, activity show: one line for a status bar or a terminal, as the server writes it, once or as it changes;
// or a picture in a file. Without a connection the last line is shown again.
import type { IncomingMessage } from 'node:http'
import { Command, Option } from 'commander'
import type { Glance, TextForm } from '../../contract/screens/texts.ts'
import { print } from '../output.ts'
import { connectionError, readDocument, serverFor } from './api.ts'
import { asClient } from './arguments/options.ts'
import { ClientError, EXIT_CODES } from './errors.ts'
import { open, readText } from './http.ts'
import { lastLine, rememberLine } from './shown-lines.ts'

// As a record, so that the compiler finds a missing form.
const FORMS: Record<TextForm, true> = {
  plain: true,
  starship: true,
  conky: true,
  polybar: true,
  tmux: true,
  i3blocks: true,
  'i3blocks-json': true,
  waybar: true,
  swiftbar: true,
  xbar: true,
  argos: true,
}

type ShowOptions = {
  format: string
  max?: string
  lang?: string
  tz: string
  json?: boolean
  follow?: boolean
  strict?: boolean
  link?: string
  picture?: string
  family?: string
}

const TIMEOUT_MS = 30_000
// A text that is followed comes again every 30 s.
const SILENT_MS = 90_000
const RETRY_MS = 5000

// `path`: of all of them in the API.
export function showCommand(noun: string, path: string, example: string): Command {
  const command = new Command('show')
    .description(`print the ${noun} as one line, or in the form of a status bar`)
    .argument('<slug>')
    .addOption(new Option('--format <form>', 'who reads it').choices(Object.keys(FORMS)).default('plain'))
    .option('--max <chars>', 'largest number of characters of the line')
    .option('--lang <language>', 'such as en or de')
    .option('--tz <zone>', 'time zone of clock times', Intl.DateTimeFormat().resolvedOptions().timeZone)
    .option('--follow', 'go on, and print it again when it changes')
    .option('--strict', 'fail without a connection, instead of printing the last line with a mark')
    .option('--link <url>', 'read it at a screen link (…/s/hls_…), without a token')
    .option('--picture <file>', 'write a picture (.png, .svg) and print the name of the file')
    .option('--family <family>', 'of the picture, such as small or medium')
  asClient(command, `heliograph ${noun} show ${example} --format waybar`)
  return command.action(async (slug: string, options: ShowOptions) => {
    const { format, max, lang, tz, json, follow, picture, family } = options
    if (family && !picture) command.error('error: --family is for --picture')
    if (follow && (json || picture)) command.error('error: --follow is for texts')
    const address = `${path}/${encodeURIComponent(slug)}`
    const viewer = { tz, ...(lang && { lang }) }
    const get = readerOf(command, options.link)
    if (picture) {
      await save(
        get,
        `${address}${endingOf(command, picture)}?${new URLSearchParams({ ...viewer, ...(family && { family }) })}`,
        picture,
      )
      print(false, {}, picture)
    } else if (json) {
      const glance: Glance = JSON.parse(await readText(await get(`${address}.json?${new URLSearchParams(viewer)}`)))
      print(json, glance, '')
    } else {
      const query = new URLSearchParams({
        ...viewer,
        form: format,
        ...(max && { max }),
        ...(follow && { follow: '1' }),
      })
      const text = `${address}.txt?${query}`
      if (follow) await followText(get, text)
      else print(false, {}, await readLine(get, text, options))
    }
  })
}

// The answer of a GET, if it is one of success.
type Get = ((path: string, timeoutMs?: number) => Promise<IncomingMessage>) & { url: string }

function readerOf(command: Command, link: string | undefined): Get {
  const { url, headers } = link === undefined ? withToken(command) : { url: linkUrl(command, link), headers: {} }
  const get = async (path: string, timeoutMs = TIMEOUT_MS) => {
    // An error names the server, and not the token in the address of a link.
    const server = new URL(url).origin
    const response = await open(url + path, { method: 'GET', headers, timeoutMs }).catch((error) => {
      throw connectionError(server, error, timeoutMs)
    })
    const { statusCode: status = 0 } = response
    if (status !== 200) readDocument(server, { status, headers: response.headers, text: await readText(response) })
    return response
  }
  return Object.assign(get, { url })
}

function withToken(command: Command) {
  const { url, token } = serverFor(command)
  return { url, headers: { authorization: `Bearer ${token}` } }
}

function linkUrl(command: Command, link: string): string {
  const url = link.replace(/\/+$/, '')
  if (!/^https?:\/\/.+\/s\/hls_[0-9A-Za-z]+$/.test(url))
    command.error('error: --link is an address such as https://…/s/hls_…')
  return url
}

async function readLine(get: Get, path: string, { strict, format }: ShowOptions): Promise<string> {
  const address = get.url + path
  try {
    const text = (await readText(await get(path))).trimEnd()
    rememberLine(address, text)
    return text
  } catch (error) {
    const last = strict ? undefined : lastLine(address, format, error)
    if (last === undefined) throw error
    return last
  }
}

async function followText(get: Get, path: string): Promise<void> {
  let response = await get(path, SILENT_MS)
  // A stream may end at any time: the server restarts, or the network changes.
  for (;;) {
    try {
      for await (const chunk of response) process.stdout.write(chunk)
    } catch {
      // The connection broke, which is the same as an end.
    }
    response = await again(get, path)
  }
}

async function again(get: Get, path: string): Promise<IncomingMessage> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    try {
      return await get(path, SILENT_MS)
    } catch (error) {
      // Revoked or deleted: it does not come back.
      const isFinal =
        error instanceof ClientError &&
        error.exitCode !== EXIT_CODES.unavailable &&
        error.exitCode !== EXIT_CODES.limited
      if (isFinal) throw error
    }
  }
}

function endingOf(command: Command, file: string): string {
  const ending = /\.(?:png|svg)$/.exec(file)?.[0]
  return ending ?? command.error('error: the name of the picture ends in .png or .svg')
}

// In one step: a status bar may read the file at any time.
async function save(get: Get, path: string, file: string): Promise<void> {
  const { renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const chunks: Buffer[] = []
  for await (const chunk of await get(path)) chunks.push(chunk as Buffer)
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, Buffer.concat(chunks))
  renameSync(unfinished, file)
}

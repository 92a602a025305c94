// heliograph widget show, activity show: one line for a status bar or a terminal, as the server writes it, once or as it changes;
// or a picture in a file. Without a connection the last line is shown again.
import type { IncomingMessage } from 'node:http'
import { Command, Option } from 'commander'
import type { Glance, TextForm } from '../../contract/screens/texts.ts'
import { errorCode } from '../../domain/errors.ts'
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

type Shown = { noun: string; path: string; families: string; example: string }

// `path`: of all of them in the API.
export function showCommand({ noun, path, families, example }: Shown): Command {
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
    .option('--family <family>', `of the picture: ${families}`)
  asClient(command, `heliograph ${noun} show ${example} --format waybar`)
  return command.action(async (slug: string, options: ShowOptions) => {
    refuseWithoutEffect(command, options)
    const { format, max, lang, tz, json, follow, picture, family } = options
    const address = `${path}/${encodeURIComponent(slug)}`
    const viewer = { tz, ...(lang && { lang }) }
    const get = readerOf(command, options.link)
    if (picture) {
      const query = new URLSearchParams({ ...viewer, ...(family && { family }) })
      await save(await get(`${address}${endingOf(command, picture)}?${query}`), picture)
      print(false, {}, picture)
    } else if (json) {
      const glance: Glance = JSON.parse(await readText(await get(`${address}.json?${new URLSearchParams(viewer)}`)))
      print(json, glance, '')
    } else {
      const query = new URLSearchParams({ ...viewer, form: format, ...(max && { max }) })
      const text = `${address}.txt?${query}`
      if (follow) await followText(get, text, options)
      else print(false, {}, await readLine(get, text, options))
    }
  })
}

function refuseWithoutEffect(command: Command, { format, max, json, follow, picture, family }: ShowOptions): void {
  if (family && !picture) command.error('error: --family is for --picture')
  if (follow && (json || picture)) command.error('error: --follow is for texts')
  if ((format !== 'plain' || max) && (json || picture)) command.error('error: --format and --max are for texts')
  if (json && picture) command.error('error: give either --json or --picture')
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

// SwiftBar's block ends with this line.
const END = { swiftbar: '~~~\n' } as Record<string, string>

// A whole text in the stream, where it has more than one line.
const MENU = /[\s\S]*?\| href=[^\n]*\n/g
const WHOLE_TEXT = {
  i3blocks: /(?:[^\n]*\n){3}/g,
  swiftbar: /[\s\S]*?\n~~~\n/g,
  xbar: MENU,
  argos: MENU,
} as Record<string, RegExp>

// Goes on for as long as the text is there. While the server is away, which may be when the computer starts, the last text has a mark.
async function followText(get: Get, path: string, { strict, format }: ShowOptions): Promise<void> {
  const address = get.url + path
  const end = END[format] ?? ''
  let isAway = false
  let remembered = ''
  for (;;) {
    try {
      for await (const whole of wholeTexts(await get(`${path}&follow=1`, SILENT_MS), format)) {
        isAway = false
        process.stdout.write(whole)
        const text = whole.slice(0, whole.length - end.length).trimEnd()
        if (text !== remembered) rememberLine(address, text)
        remembered = text
      }
    } catch (error) {
      const last = strict ? undefined : lastLine(address, format, error)
      // A connection that breaks is no error of the client: the server restarts, or the network changes.
      const mayReturn = !(error instanceof ClientError) || last !== undefined || error.exitCode === EXIT_CODES.limited
      if (!mayReturn) throw error
      if (!isAway && last !== undefined) {
        process.stdout.write(`${last}\n${end}`)
        isAway = true
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

// A chunk of the stream may have two texts, or a part of one.
async function* wholeTexts(stream: IncomingMessage, format: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    rest += chunk
    const texts = rest.match(WHOLE_TEXT[format] ?? /[^\n]*\n/g) ?? []
    rest = rest.slice(texts.join('').length)
    yield* texts
  }
}

function endingOf(command: Command, file: string): string {
  const ending = /\.(?:png|svg)$/.exec(file)?.[0]
  return ending ?? command.error('error: the name of the picture ends in .png or .svg')
}

// In one step: a status bar may read the file at any time.
async function save(response: IncomingMessage, file: string): Promise<void> {
  const { renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const unfinished = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(unfinished, Buffer.concat(chunks))
    renameSync(unfinished, file)
  } catch (error) {
    throw new ClientError(EXIT_CODES.usage, `${file} cannot be written (${errorCode(error)}).`)
  }
}

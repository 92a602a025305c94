// What client commands share: they make HTTP requests to any server and touch no database. These commands import schemas
// of the contract as types only: to load typebox takes longer than the rest of the command.
import type { Command } from 'commander'
import { StartError } from '../domain/start-error.ts'
import { CLIENT_SETTINGS, type ClientConfig } from '../runtime/client-settings.ts'
import { environmentName } from '../runtime/settings.ts'
import {
  ClientError,
  EXIT_CODES,
  isProblem,
  missingToken,
  notHeliograph,
  refused,
  timedOut,
  unreachable,
} from './client-errors.ts'
import { clientConfigFrom, withServerUrl } from './settings-options.ts'

const TIMEOUT_MS = 30_000

// The text for `addHelpText('afterAll', …)` of a command whose subcommands are clients.
export const CLIENT_HELP = `
Environment:
  ${environmentName('token')}  ${CLIENT_SETTINGS.token.meaning}
  ${environmentName('url')}    ${CLIENT_SETTINGS.url.meaning}; --url overrides it

Exit codes:
  0  done
  ${EXIT_CODES.usage}  wrong usage
  ${EXIT_CODES.refused}  refused by the server: token, permission, plan or conflict
  ${EXIT_CODES.notFound}  not found, or no longer valid
  ${EXIT_CODES.limited}  too many requests, or quota used up
  ${EXIT_CODES.unavailable}  server not reachable, or failed`

export type Api = <Body>(method: string, path: string, body?: object) => Promise<Answer<Body>>
// The body of a 204 response is undefined.
type Answer<Body> = { status: number; body: Body }

export function withClientOptions(command: Command): Command {
  return withServerUrl(command.option('--json', 'print one JSON object'))
}

export function apiFor(command: Command): Api {
  const { url, token } = readConfig(command)
  if (!token) throw missingToken()
  return (method, path, body) => {
    const headers = { authorization: `Bearer ${token.reveal()}`, ...(body && { 'content-type': 'application/json' }) }
    return callServer(url, path, { method, headers, body: body && JSON.stringify(body) })
  }
}

function readConfig(command: Command): ClientConfig {
  try {
    return clientConfigFrom(command)
  } catch (error) {
    throw error instanceof StartError ? new ClientError(EXIT_CODES.usage, error.message) : error
  }
}

async function callServer<Body>(url: string, path: string, options: RequestInit): Promise<Answer<Body>> {
  const { response, text } = await send(url + path, options).catch((error) => {
    throw error.name === 'TimeoutError' ? timedOut(url, TIMEOUT_MS) : unreachable(url, error)
  })
  const { status } = response
  const document = status === 204 ? undefined : parseJson(text)
  if (isProblem(document)) throw refused(status, document)
  if (!response.ok || (status !== 204 && document === undefined)) throw notHeliograph(url, response)
  return { status, body: document as Body }
}

async function send(url: string, options: RequestInit): Promise<{ response: Response; text: string }> {
  // A redirect is reported, not followed: fetch would repeat a POST as a GET.
  const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  return { response, text: await response.text() }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

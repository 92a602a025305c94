// The API of a server, as client commands call it. These commands touch no database, and import schemas of the contract
// as types only: to load typebox takes longer than the rest of the command.
import type { Command } from 'commander'
import { StartError } from '../../domain/errors.ts'
import type { ClientConfig } from '../../runtime/client-settings.ts'
import { loadClientConfig } from '../../runtime/config.ts'
import {
  ClientError,
  EXIT_CODES,
  isProblem,
  missingToken,
  notHeliograph,
  refused,
  timedOut,
  unreachable,
} from './errors.ts'
import { type HttpRequest, type HttpResponse, request, TimeoutError } from './http.ts'
import { Payload } from './upload.ts'

const TIMEOUT_MS = 30_000

// A body is JSON, or a Payload as it is.
export type Api = <Body>(method: string, path: string, body?: object, headers?: Headers) => Promise<Answer<Body>>
// The body of a 204 response is undefined.
type Answer<Body> = { status: number; body: Body }
type Headers = Record<string, string>
export type Server = { url: string; token: string }

export const apiFor = (command: Command): Api => apiOf(serverFor(command))

export function serverFor(command: Command): Server {
  const { url, token } = clientConfigFor(command)
  if (!token) throw missingToken(url)
  return { url, token: token.reveal() }
}

// Wrong settings count as wrong usage.
export function clientConfigFor(command: Command): ClientConfig {
  try {
    const config = loadClientConfig(command.optsWithGlobals())
    for (const warning of config.warnings) console.error(`heliograph: ${warning}`)
    return config
  } catch (error) {
    throw error instanceof StartError ? new ClientError(EXIT_CODES.usage, error.message) : error
  }
}

export function apiOf({ url, token }: Server): Api {
  const authorization = { authorization: `Bearer ${token}` }
  return (method, path, body, headers) =>
    callServer(url, path, { method, headers: { ...authorization, ...headers } }, body)
}

// For the few requests that need no token.
export function callServer<Body>(
  url: string,
  path: string,
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  body?: object,
): Promise<Answer<Body>> {
  const [bytes, type] = body instanceof Payload ? [body.bytes, body.type] : [JSON.stringify(body), 'application/json']
  const sent = body && { body: bytes, headers: { ...headers, 'content-type': type } }
  return ask(url, path, { method, headers, timeoutMs: TIMEOUT_MS, ...sent })
}

async function ask<Body>(url: string, path: string, options: HttpRequest): Promise<Answer<Body>> {
  const response = await call(url, path, options)
  if (response.status === 204) return { status: 204, body: undefined as Body }
  return { status: response.status, body: readDocument(url, response) as Body }
}

const call = (url: string, path: string, options: HttpRequest): Promise<HttpResponse> =>
  request(url + path, options).catch((error) => {
    throw connectionError(url, error, options.timeoutMs)
  })

export function connectionError(url: string, error: Error, timeoutMs: number): ClientError {
  return error instanceof TimeoutError ? timedOut(url, timeoutMs) : unreachable(url, error)
}

// Throws what the server objects to, also if it is no Heliograph. A redirect is reported, not followed.
export function readDocument(url: string, { status, headers, text }: HttpResponse): unknown {
  const document = parseJson(text)
  if (isProblem(document)) throw refused(status, document)
  if (status < 200 || status > 299 || document === undefined) throw notHeliograph(url, status, headers)
  return document
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Silent calls of a button's URL, as far as browsers allow them. Used by the pages and by the service worker.
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import { TEXTS } from '../texts/base.ts'

export type Callable = Pick<NotificationAction, 'url' | 'method' | 'headers' | 'body' | 'foreground'>

export const isSilent = ({ url = '', foreground }: Callable): boolean => !foreground && /^https?:/i.test(url)

const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST'])

// Browsers send only simple requests to other origins unless CORS allows more. The response to a simple one is opaque, so
// success means that the request was sent.
export async function callSilently(action: Callable, text?: string): Promise<void> {
  const method = action.method ?? 'GET'
  const body = text === undefined ? action.body : withText(action.body, text)
  const isSimple = SIMPLE_METHODS.has(method) && Object.keys(action.headers ?? {}).length === 0
  const type: Record<string, string> = body === undefined || isSimple ? {} : { 'content-type': 'application/json' }
  const response = await fetch(action.url as string, {
    // GET, the default method, cannot have a body.
    method: body !== undefined && method === 'GET' ? 'POST' : method,
    mode: isSimple ? 'no-cors' : 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { ...type, ...action.headers },
    body,
  }).catch(() => {
    // Browsers do not tell a script whether the host is out of reach or does not allow calls from other sites.
    throw new Error(TEXTS.detail.callFailed(new URL(action.url as string).host))
  })
  if (response.type !== 'opaque' && !response.ok) throw new Error(`${new URL(response.url).host}: ${response.status}`)
}

// The typed text replaces {{input}}, or becomes the member `text` of the body's JSON object or of a new one.
export function withText(body: string | undefined, text: string): string {
  const parsed = parseJson(body ?? '{}')
  if (body?.includes('{{input}}')) {
    // In a JSON body the placeholder is inside a string, so the text must be escaped.
    return body.replaceAll('{{input}}', () => (parsed === undefined ? text : JSON.stringify(text).slice(1, -1)))
  }
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return JSON.stringify(isObject ? { ...parsed, text } : { text })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// What a button with an address does: opens it, or calls it silently as far as a browser may. Used by the pages and by
// the service worker.
import type { NotificationAction } from '../../../src/contract/notification.ts'

export type Callable = Pick<NotificationAction, 'url' | 'method' | 'headers' | 'body' | 'foreground'>

export const isSilent = ({ url = '', foreground }: Callable): boolean => !foreground && /^https?:/i.test(url)

const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST'])

// Browsers call other sites only with simple requests unless those agree; the answer to a simple one cannot be read, so
// that it went out is all that can be said.
export async function fire(action: Callable, text?: string): Promise<void> {
  const method = action.method ?? 'GET'
  const body = text === undefined ? action.body : withText(action.body, text)
  const isSimple = SIMPLE_METHODS.has(method) && Object.keys(action.headers ?? {}).length === 0
  const type: Record<string, string> = body === undefined || isSimple ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(action.url as string, {
    // A body cannot go out with GET, which is what was meant only as long as nobody had anything to say.
    method: body !== undefined && method === 'GET' ? 'POST' : method,
    mode: isSimple ? 'no-cors' : 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    headers: { ...type, ...action.headers },
    body,
  })
  if (answer.type !== 'opaque' && !answer.ok) throw new Error(`${new URL(answer.url).host}: ${answer.status}`)
}

// What was typed replaces {{input}}, or becomes the member `text` of a JSON object, or of a new one.
export function withText(body: string | undefined, text: string): string {
  const parsed = parseJson(body ?? '{}')
  if (body?.includes('{{input}}')) {
    // Inside of JSON it stands in a string, which a quote in the text would end.
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

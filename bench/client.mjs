// A client on one connection, which throws when a request is refused.
import { Client } from 'undici'

export function openClient({ url }, token) {
  const client = new Client(url, { bodyTimeout: 0, headersTimeout: 0 })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async ask(method, path, body) {
      const answer = await client.request({ method, path, headers, body: body && JSON.stringify(body) })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
      return text ? JSON.parse(text) : undefined
    },
    stop: () => client.close(),
  }
}

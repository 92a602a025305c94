// Reads a response body of server-sent events. EventSource would hide the heartbeats, which are comments, and the status
// of a refused request.

export type ServerSentEvent = { id?: string; type?: string; data?: string }

// Yields one array per chunk that arrives: empty if the chunk has only a heartbeat or part of an event.
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent[]> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    yield blocks.map(parse).filter(({ type }) => type !== undefined)
  }
}

function parse(block: string): ServerSentEvent {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2)
  }
  return { id: fields.id, type: fields.event, data: fields.data }
}

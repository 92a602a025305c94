// Reads server-sent events, as GET /events sends them.

export type StreamMessage = { id?: string; type: string; data: string }

export async function* readMessages(chunks: AsyncIterable<string>): AsyncGenerator<StreamMessage> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = parseMessage(block)
      if (message) yield message
    }
  }
}

// Undefined for a comment.
function parseMessage(block: string): StreamMessage | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const [, name = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? []
      return [name, value]
    }),
  )
  const data = fields.get('data')
  return data === undefined ? undefined : { id: fields.get('id'), type: fields.get('event') ?? 'message', data }
}

// Reads server-sent events as Heliograph writes them: lines that end in a line feed. The command line, the console, the
// TypeScript client and the tests share it; EventSource would hide comments and the status of a refused request.

export type StreamMessage = { id?: string; type: string; data: string }

// `onComment` gets the text of each comment; the server keeps connections open with them.
export async function* readMessages(
  chunks: AsyncIterable<string>,
  onComment: (text: string) => void = () => {},
): AsyncGenerator<StreamMessage> {
  let rest = ''
  for await (const chunk of chunks) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const { '': comment, id, event = 'message', data } = fieldsOf(block)
      if (comment !== undefined) onComment(comment)
      if (data !== undefined) yield { id, type: event, data }
    }
  }
}

// The field of a comment has no name.
function fieldsOf(block: string): Record<string, string | undefined> {
  const lines = [...block.matchAll(/^([a-z]*): ?(.*)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]))
}

// The text of a response, chunk by chunk. Not every browser can iterate over a stream.
export async function* textOf(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void = () => {},
): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onChunk()
    yield decoder.decode(value, { stream: true })
  }
}

// The reader of server-sent events that the command line, the console, the TypeScript client and the tests share.
import { expect, test } from 'vitest'
import { readMessages, type StreamMessage, textOf } from '../../src/contract/events/server-sent-events.ts'

const STREAM =
  ': connected\n\nid: 7\nevent: widget.updated\ndata: {"name":"Büro: 21 °C"}\n\n: \n\ndata: {}\n\nid: 8\ndata: cut o'

// A response whose chunks have this many bytes.
function bodyOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.slice(n * size, (n + 1) * size))
  return ReadableStream.from(chunks)
}

test.each([1, 3, 1000])(
  'messages and comments are read from chunks of %i bytes; one that is cut off is not',
  async (size) => {
    const comments: string[] = []
    let chunks = 0
    const text = textOf(bodyOf(STREAM, size), () => (chunks += 1))
    const messages: StreamMessage[] = []
    for await (const message of readMessages(text, (comment) => comments.push(comment))) messages.push(message)
    expect(messages).toEqual([
      { id: '7', type: 'widget.updated', data: '{"name":"Büro: 21 °C"}' },
      { id: undefined, type: 'message', data: '{}' },
    ])
    expect(comments).toEqual(['connected', ''])
    expect(chunks).toBe(Math.ceil(new TextEncoder().encode(STREAM).length / size))
  },
)

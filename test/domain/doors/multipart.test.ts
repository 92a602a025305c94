// Forms as browsers, curl, Python and others write them, and as nobody should.
import { describe, expect, test } from 'vitest'
import { boundaryOf, collect, readParts } from '../../../src/domain/doors/multipart.ts'

const TYPE = 'multipart/form-data; boundary=x1'
const END = '--x1--\r\n'
const part = (header: string, content = 'v') => `--x1\r\n${header}\r\n\r\n${content}\r\n`
const named = (parameters: string) => part(`Content-Disposition: form-data; ${parameters}`)

// The body arrives in pieces of so many bytes.
async function read(body: string, pieceBytes = 65_536): Promise<[string, string | undefined, string][]> {
  const bytes = Buffer.from(body)
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, n) =>
    bytes.subarray(n * pieceBytes, (n + 1) * pieceBytes),
  )
  const parts: [string, string | undefined, string][] = []
  for await (const { name, fileName, content } of readParts(pieces, boundaryOf(TYPE) ?? '', 1_000_000)) {
    parts.push([name, fileName, (await collect(content, 1000)).toString()])
  }
  return parts
}

test.each([
  'multipart/form-data; boundary="x1"',
  'Multipart/Form-Data; BOUNDARY=x1',
  'multipart/form-data; charset=utf-8; boundary=x1',
  'multipart/form-data; boundary=x1; charset=utf-8',
])('the boundary of %s', (type) => {
  expect(boundaryOf(type)).toBe('x1')
})

test.each([
  ['a quoted name', named('name="a b"'), 'a b', undefined],
  ['a name without quotation marks', named('name=a'), 'a', undefined],
  ['a quotation mark with a backslash', named('name="a\\"b"'), 'a"b', undefined],
  ['a quotation mark as browsers write it', named('name="a%22b"'), 'a"b', undefined],
  ['the name after the file name', named('filename="name=x"; name="a"'), 'a', 'name=x'],
  ['UTF-8', named('name="ü"; filename="ä.png"'), 'ü', 'ä.png'],
  ['a file name of RFC 5987', named('name="a"; filename*=utf-8\'\'%C3%BC.png'), 'a', 'ü.png'],
  ['a malformed one', named('name="a"; filename*=utf-8\'\'%C3.png'), 'a', '%C3.png'],
  ['an empty file name', named('name="a"; filename=""'), 'a', ''],
  ['a folded header', part('Content-Disposition: form-data;\r\n name="a"'), 'a', undefined],
  ['other headers', part('X-A: 1\r\ncontent-disposition: form-data; name="a"\r\nContent-Type: b/c'), 'a', undefined],
  ['no name', part('Content-Type: text/plain'), '', undefined],
])('%s', async (_, body, name, fileName) => {
  expect(await read(body + END)).toEqual([[name, fileName, 'v']])
})

describe.each([1, 7, 65_536])('in pieces of %i bytes', (pieceBytes) => {
  test.each([
    ['two parts', named('name="a"') + named('name="b"') + END, ['v', 'v']],
    ['a preamble and an epilogue', `before\r\n${named('name="a"')}${END}after`, ['v']],
    ['no line break at the end', `${named('name="a"')}--x1--`, ['v']],
    ['spaces after a delimiter', `--x1  \r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n${END}`, ['v']],
    [
      'the boundary in the content',
      part('Content-Disposition: form-data; name="a"', 'x--x1y\r\n--x') + END,
      ['x--x1y\r\n--x'],
    ],
    ['no part', END, []],
  ])('%s', async (_, body, contents) => {
    expect((await read(body, pieceBytes)).map(([, , content]) => content)).toEqual(contents)
  })

  test.each([
    ['nothing', ''],
    ['no end', named('name="a"')],
    ['the end in a header', '--x1\r\nContent-Dispo'],
    ['line breaks of Unix', (named('name="a"') + END).replaceAll('\r\n', '\n')],
    ['more than 100 parts', named('name="a"').repeat(101) + END],
    ['more than 8 KB of headers', part(`X: ${'y'.repeat(9000)}`) + END],
  ])('refuses %s', async (_, body) => {
    await expect(read(body, pieceBytes)).rejects.toThrow()
  })
})

// Text in header values. Senders write UTF-8, which Node reads as Latin-1, or encoded words (RFC 2047) such as
// =?UTF-8?B?w6Q=?=.
import { Buffer, isUtf8 } from 'node:buffer'

export function decodeHeaderText(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  return decodeWords(isUtf8(bytes) ? bytes.toString() : value)
}

const WORD = /=\?([\w-]{1,40})\?([bq])\?([^?\s]*)\?=/gi
// White space between two encoded words separates them and is no part of the text.
const BETWEEN_WORDS = /(=\?[\w-]{1,40}\?[bq]\?[^?\s]*\?=)\s+(?==\?[\w-]{1,40}\?[bq]\?)/gi

function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  return text.replace(BETWEEN_WORDS, '$1').replace(WORD, (word, charset: string, encoding: string, content: string) => {
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : unquote(content)
    return decodeBytes(bytes, charset) ?? word
  })
}

function unquote(content: string): Buffer {
  const text = content
    .replaceAll('_', ' ')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(text, 'latin1')
}

// Go, in which ntfy is written, knows these three.
function decodeBytes(bytes: Buffer, charset: string): string | undefined {
  switch (charset.toLowerCase()) {
    case 'utf-8':
      return bytes.toString()
    case 'iso-8859-1':
    case 'us-ascii':
      return bytes.toString('latin1')
    default:
      return undefined
  }
}

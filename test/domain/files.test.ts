// The type of a file by its first bytes, and the name under which it is kept.
import { describe, expect, test } from 'vitest'
import { fileName, fileTypeOf, TYPE_BYTES } from '../../src/domain/files.ts'

const bytes = (latin1: string) => Buffer.from(latin1, 'latin1')

describe('the type', () => {
  test.each([
    ['\x89PNG\r\n\x1a\n\0\0', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF87a\x01', 'image/gif'],
    ['GIF89a\x01', 'image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['\0\0\0\x1cftypavif', 'image/avif'],
    ['\0\0\0\x20ftypisom', 'video/mp4'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\x03\x04\x14', 'application/zip'],
    ['\x1f\x8b\x08\0', 'application/gzip'],
    ['plain words', 'text/plain; charset=utf-8'],
    ['<html>', 'text/plain; charset=utf-8'],
    ['', 'text/plain; charset=utf-8'],
    ['words\0', 'application/octet-stream'],
    ['\xe4 is no UTF-8', 'application/octet-stream'],
  ])('of %j is %s', (start, type) => {
    expect(fileTypeOf(bytes(start))).toBe(type)
  })

  test.each([1, 2, 3])('is text, too, if the part that is read ends %i bytes into a character', (cut) => {
    const start = Buffer.from(`${'x'.repeat(TYPE_BYTES - cut)}👩`).subarray(0, TYPE_BYTES)
    expect(fileTypeOf(start)).toBe('text/plain; charset=utf-8')
    expect(fileTypeOf(start.subarray(1))).toBe('application/octet-stream')
  })
})

describe('the name', () => {
  test.each([
    ['../a/report.pdf', 'report.pdf'],
    ['C:\\a\\report.pdf', 'report.pdf'],
    ['re\r\nport.pdf ', 're port.pdf'],
    ['..', 'attachment.pdf'],
    [' ', 'attachment.pdf'],
    [undefined, 'attachment.pdf'],
    ['😀'.repeat(129), '😀'.repeat(128)],
  ])('of %j is %j', (given, name) => {
    expect(fileName(given, 'application/pdf')).toBe(name)
  })
})

// The output of the log, from the built module in a separate process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runNode, SOURCES } from '../support/heliograph-process.ts'

// Characters that could make one event look like two, or control the operator's terminal.
const NASTY = 'one\ntwo\r\u2028three\u001b[31mred'

async function logged(level: string, format: string, calls: string, environment = {}): Promise<string> {
  const script = `
    const { createLog } = await import('${SOURCES}runtime/log.ts')
    const nasty = ${JSON.stringify(NASTY)}
    const log = createLog('${level}', '${format}')
    ${calls}`
  const { code, stdout, stderr } = await runNode(['--input-type=module', '--eval', script], { environment })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '')

describe('json', () => {
  test('writes one object per line, with time and level as text', async () => {
    const [first, second, ...rest] = lines(await logged('info', 'json', `log.info({ a: 1 }, 'one'); log.warn('two')`))
    expect(rest).toEqual([])
    expect(JSON.parse(first ?? '')).toMatchObject({ level: 'info', msg: 'one', a: 1 })
    expect(JSON.parse(second ?? '')).toMatchObject({ level: 'warn', msg: 'two' })
    expect(JSON.parse(first ?? '').time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('R51 writes one line per event, even with line breaks in its fields', async () => {
    const output = lines(
      await logged('info', 'json', `log.info({ field: nasty }, nasty); log.error({ err: new Error(nasty) }, 'failed')`),
    )
    expect(output).toHaveLength(2)
    expect(JSON.parse(output[0] ?? '')).toMatchObject({ field: NASTY, msg: NASTY })
    expect(JSON.parse(output[1] ?? '').err.message).toBe(NASTY)
  })

  test('writes all buffered lines when the process exits immediately', async () => {
    const output = await logged('info', 'json', `for (let i = 0; i < 50; i++) log.info({ i }, 'x'); process.exit(0)`)
    expect(lines(output)).toHaveLength(50)
  })

  test('buffers a bounded number of lines for a reader that does not read, and counts the dropped ones', async () => {
    const script = `
      const { createLog } = await import('${SOURCES}runtime/log.ts')
      const log = createLog('info', 'json')
      for (let i = 0; i < 100_000; i++) log.info({ i, pad: '${'x'.repeat(100)}' }, 'one of many')
      console.error('written')
      process.stdin.once('data', () => {
        log.info('last')
        process.exit()
      })`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stderr, 'data')
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      // The buffer is being written now, so there is room for the last line.
      if (output.length > 1024 * 1024 && child.stdin.writable) child.stdin.end('go')
    })
    await once(child, 'close')

    const events = lines(output).map((line) => JSON.parse(line))
    expect(output.length).toBeLessThan(6 * 1024 * 1024)
    expect(events.at(-1)).toMatchObject({ msg: 'last' })
    const missed = events.find(({ msg }) => msg === 'the log was not read in time')
    expect(missed).toMatchObject({ level: 'warn', missed: expect.any(Number) })
    expect(events.filter(({ i }) => i !== undefined).map(({ i }) => i)).toEqual(
      Array.from({ length: 100_000 - missed.missed }, (_, i) => i),
    )
  })

  test('writes nothing below its level, and nothing at all when silent', async () => {
    expect(lines(await logged('warn', 'json', `log.debug('a'); log.info('b'); log.warn('c')`))).toHaveLength(1)
    expect(await logged('silent', 'json', `log.error('a')`)).toBe('')
  })
})

describe('pretty', () => {
  test('writes one readable line with the fields after the message', async () => {
    const output = await logged('info', 'pretty', `log.info({ port: 80, who: 'me', list: [1] }, 'started')`)
    expect(output).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}started port=80 who=me list=\[1\]\n$/)
  })

  test('shows a refused request in another colour than one that succeeded', async () => {
    const calls = `log.info({ status: 200 }, 'request'); log.info({ status: 404 }, 'request')`
    const [succeeded, refused] = lines(await logged('info', 'pretty', calls, { FORCE_COLOR: '1' }))
    expect(succeeded).toContain('\u001b[32minfo ')
    expect(refused).toContain('\u001b[33minfo ')
  })

  test('R51 writes one line per event and no control characters, even with both in a field', async () => {
    const output = await logged('info', 'pretty', `log.info({ field: nasty }, 'request')`)
    expect(lines(output)).toHaveLength(1)
    expect(output).not.toContain('\u001b')
    expect(output).not.toContain('\u2028')
    expect(output).toContain('three')
  })

  test('R51 writes message and stack of an error without control characters, and indented, so that it cannot forge an event', async () => {
    const output = await logged(
      'info',
      'pretty',
      `log.error({ err: new Error(nasty + '\\u009b31m\\u0085\\n12:00:00.000 info  forged') }, nasty)`,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for exactly these.
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/)
    expect(output).toContain('\\u009b31m\\u0085')
    const [, ...stack] = lines(output)
    expect(stack.length).toBeGreaterThan(2)
    for (const line of stack) expect(line).toMatch(/^ {2}/)
  })

  test('writes the stack of an error', async () => {
    const output = await logged('info', 'pretty', `log.error({ err: new Error('broken') }, 'failed')`)
    expect(output).toContain('error failed')
    expect(output).toMatch(/Error: broken\n\s+at /)
  })
})

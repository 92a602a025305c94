// A secret from standard input: typed without echo on a terminal, else read to the end.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

export async function readSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return text(process.stdin)
  // readline echoes what is typed to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Before the question: from here on the terminal itself does not echo either.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await new Promise<string>((resolve) => {
      terminal.on('line', resolve)
      // Ctrl-D.
      terminal.on('close', () => resolve(''))
      // The terminal sends no signal for Ctrl-C while readline reads single keys.
      terminal.on('SIGINT', () => {
        terminal.close()
        process.kill(process.pid, 'SIGINT')
      })
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

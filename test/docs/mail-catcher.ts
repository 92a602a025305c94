// A mail server that accepts everything and appends it to a file, with its quoted-printable lines joined.
import { appendFileSync, writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { startFakeSmtp } from '../support/fakes/fake-smtp.ts'

export async function startMailCatcher(file: string): Promise<{ url: string }> {
  const smtp = await startFakeSmtp()
  onTestFinished(() => smtp.close())
  writeFileSync(file, '')
  smtp.answerMessage = ({ raw }) => {
    appendFileSync(file, raw.replaceAll('=\r\n', '').replaceAll('=3D', '=').replaceAll('\r\n', '\n'))
    return undefined
  }
  return { url: `smtp://127.0.0.1:${smtp.port}` }
}

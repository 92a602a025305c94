// A secret in a file of the data folder that only its owner can read; made at the first start.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function readOrMakeSecret(folder: string, name: string, make: () => string): string {
  const file = join(folder, name)
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const secret = make()
    // Written beside and renamed, so that a crash cannot leave half a secret.
    writeFileSync(`${file}.new`, secret, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return secret
  }
}

// The version of this program, from package.json.
import { readFileSync } from 'node:fs'

// The same relative path from src/ and from dist/.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version

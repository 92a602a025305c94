// The version of this program, as the package says it.
import { readFileSync } from 'node:fs'

// The same distance from src/ and from dist/.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version

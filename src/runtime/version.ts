// Facts from package.json: the version of this program, and the oldest Node.js that runs it.
import { readFileSync } from 'node:fs'

// The same relative path from src/ and from dist/.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version
export const OLDEST_NODE: string = manifest.engines.node.replace('>=', '')

// What package.json says of this program: its version, and the oldest Node.js that runs it.
import { readFileSync } from 'node:fs'

// The same distance from src/ and from dist/.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version
export const OLDEST_NODE: string = manifest.engines.node.replace('>=', '')

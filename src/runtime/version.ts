// Facts from package.json: the version of this program, and the oldest Node.js that runs it.
import { readFileSync } from 'node:fs'

// The same relative path from src/ and from dist/.
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = manifest.version
export const OLDEST_NODE: string = manifest.engines.node.replace('>=', '')

// Returns what to tell on a Node.js that is too old.
export function unsupportedNode(): string | undefined {
  const current = process.versions.node
  if (!isOlder(current, OLDEST_NODE)) return undefined
  return `Node.js ${OLDEST_NODE} or newer is needed, and this is ${current}`
}

// Not by localeCompare, which loads the collation data of ICU: 15 ms of every command.
function isOlder(version: string, than: string): boolean {
  const [numbers = [], others = []] = [version, than].map((text) => text.split('.').map(Number))
  const place = others.findIndex((other, index) => other !== (numbers[index] ?? 0))
  return place >= 0 && (numbers[place] ?? 0) < (others[place] ?? 0)
}

// The files of a folder that the build made, kept in memory with their compressed variants.
import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readVariants, sharedDocument } from './shared-document.ts'

type SendFile = ReturnType<typeof sharedDocument>

// By the ending, or by the whole name of a file that has none. Files of other types, such as the compressed variants, are not
// served under their own name.
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.sh': 'text/plain; charset=utf-8',
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  SHA256SUMS: 'text/plain; charset=utf-8',
}

// The map holds every path that can be answered, so a path with ".." finds nothing. It is empty before the first build.
// `policy`: the content security policy of its documents and workers. `headers`: those of all its files.
export function builtFiles(
  folder: 'console' | 'docs' | 'clients',
  { policy, headers }: { policy?: string; headers?: Record<string, string> } = {},
): Map<string, SendFile> {
  // The path is the same from src/http and from dist/http.
  const root = fileURLToPath(new URL(`../../dist/${folder}/`, import.meta.url))
  const paths = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
  const served = paths.filter((path) => typeOf(path) !== undefined)
  return new Map(
    served.map((path) => [
      path,
      sharedDocument({
        headers: { ...headersOf(path, policy), ...headers },
        load: () => readVariants(join(root, path)),
      }),
    ]),
  )
}

const typeOf = (path: string): string | undefined => TYPES[extname(path) || path]

// The build writes a hash of the content into the names of the files in this folder.
const HASHED_FOLDER = 'assets/'

// Browsers apply a policy to what has a global object of its own. With other files it would be a third of a kilobyte each.
const HAS_POLICY = /\.(?:html|svg)$|worker/

function headersOf(path: string, policy: string | undefined): Record<string, string> {
  return {
    'content-type': typeOf(path) as string,
    'cache-control': path.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(HAS_POLICY.test(path) && {
      'cross-origin-opener-policy': 'same-origin',
      ...(policy && { 'content-security-policy': policy }),
    }),
  }
}

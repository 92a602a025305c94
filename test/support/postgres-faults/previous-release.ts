// The release before this one, built from its tag with the packages of this checkout.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MAIN } from '../heliograph-process.ts'

// Returns its main.js; that of this checkout before the first release. A build is kept for the next run.
export function buildPreviousRelease(): string {
  const tag = newestTagBefore('HEAD')
  if (!tag) return MAIN
  const folder = resolve('node_modules/.cache/heliograph-previous', tag)
  const main = join(folder, 'dist/main.js')
  if (existsSync(main)) return main
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files = ['src', 'package.json', 'openapi.json', 'scripts/build-server.mjs']
  const archive = execFileSync('git', ['archive', tag, ...files], { maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build-server.mjs'], { cwd: folder, stdio: 'inherit' })
  return main
}

// Not that of the commit itself: a release is tested against the one before it.
function newestTagBefore(commit: string): string | undefined {
  try {
    const args = ['describe', '--tags', '--abbrev=0', '--match', 'v*', `${commit}^`]
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

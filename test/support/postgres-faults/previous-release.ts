// The release before this one, built from its commit with the packages of this checkout.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

// A release changes this to the commit of the one before.
const COMMIT = 'ff79a50'
const FOLDER = resolve('node_modules/.cache/heliograph-previous', COMMIT)

// Returns its main.js. A build is kept for the next run.
export function buildPreviousRelease(): string {
  const main = join(FOLDER, 'dist/main.js')
  if (existsSync(main)) return main
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const files = ['src', 'package.json', 'openapi.json', 'tsconfig.json', 'tsconfig.build.json']
  const archive = execFileSync('git', ['archive', COMMIT, ...files], { maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', FOLDER], { input: archive })
  symlinkSync(resolve('node_modules'), join(FOLDER, 'node_modules'))
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc6'), '-p', 'tsconfig.build.json'], {
    cwd: FOLDER,
    stdio: 'inherit',
  })
  return main
}

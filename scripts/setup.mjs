// Makes a bare clone ready: installs what package-lock.json names and compiles src to dist, each only when needed.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`heliograph: Node.js 20.19 or newer is needed; this is ${process.versions.node}`)
  process.exit(1)
}

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  console.log('installing dependencies …')
  // Not `npm ci`: that fails where a registry lacks the binaries of platforms other than this one.
  run('npm', 'install', '--no-save', '--include=dev', '--no-audit', '--no-fund')
}

if (changedAt('dist/.tsbuildinfo') < Math.max(newestIn('src'), changedAt('tsconfig.build.json'))) {
  console.log('building …')
  run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json')
}

function run(command, ...args) {
  try {
    execFileSync(command, args, { stdio: 'inherit' })
  } catch {
    console.error(`heliograph: "${[command, ...args].join(' ')}" failed; see above`)
    process.exit(1)
  }
}

function changedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}

function newestIn(folder) {
  return Math.max(...readdirSync(folder, { recursive: true }).map((name) => changedAt(join(folder, name))))
}

// The programs that `npm run test:deploy` runs the files of deploy/ with. Debian's packages are unpacked into
// node_modules/.cache instead of installed, because an installed package would start its service.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/heliograph-deploy', import.meta.url))
const TOOLS = {
  nginx: { debianPackages: ['nginx'], path: 'usr/sbin/nginx' },
  haproxy: {
    debianPackages: ['haproxy', 'liblua5.3-0', 'libopentracing-c-wrapper0', 'libopentracing1'],
    path: 'usr/sbin/haproxy',
  },
  caddy: { debianPackages: ['caddy'], path: 'usr/bin/caddy' },
  promtool: { debianPackages: ['prometheus'], path: 'usr/bin/promtool' },
  pgbouncer: { debianPackages: ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'], path: 'usr/sbin/pgbouncer' },
}

// The path of a program: the machine's own if it has one, else the unpacked one. Undefined where there is neither.
export function findDeployTool(name) {
  const { path } = TOOLS[name]
  return [`/${path}`, join(FOLDER, path)].find((place) => existsSync(place))
}

// The environment in which an unpacked program finds the libraries that were unpacked with it.
export function deployToolEnvironment() {
  const folder = join(FOLDER, 'usr/lib')
  const libraries = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('-linux-gnu')) : []
  return { LD_LIBRARY_PATH: libraries.map((name) => join(folder, name)).join(':') }
}

// `run` starts a command in a folder and ends the process where the command fails.
export function unpackDeployTools(run) {
  const missing = Object.keys(TOOLS).filter((name) => !findDeployTool(name))
  if (missing.length === 0) return
  if (!existsSync('/usr/bin/apt-get')) {
    console.error(`heliograph: test:deploy needs ${missing.join(', ')}; install them, their services need not run`)
    process.exit(1)
  }
  console.log(`unpacking ${missing.join(', ')} for the tests of deploy/ …`)
  mkdirSync(FOLDER, { recursive: true })
  // Package lists older than the mirror name versions that it no longer has. Only root may refresh them.
  if (process.getuid?.() === 0) run(FOLDER, 'apt-get', 'update', '-qq')
  const packages = missing.flatMap((name) => TOOLS[name].debianPackages)
  // Without the sandbox: apt's own user may not write to this folder.
  run(FOLDER, 'apt-get', 'download', '-qq', '-o', 'APT::Sandbox::User=root', ...packages)
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.deb'))) {
    run(FOLDER, 'dpkg', '-x', file, '.')
    rmSync(join(FOLDER, file))
  }
}

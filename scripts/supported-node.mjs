// Gives a machine whose Node.js is too old a supported one: npm's package `node`, installed in node_modules/.node and
// linked as node_modules/.bin/node. npm puts that folder first in the PATH of its scripts and of npx, so all of them find
// it. The folder's leading dot hides it from `npm install`, which removes packages that package.json does not name.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'

const FOLDER = 'node_modules/.node'
const LINK = 'node_modules/.bin/node'

// Afterwards every command that this process starts finds a supported `node`. `run` starts a command in a folder.
export async function useSupportedNode(run) {
  process.env.PATH = [resolve('node_modules/.bin'), process.env.PATH].join(delimiter)
  const oldest = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.replace('>=', '')
  const isSupported = (version) => version.localeCompare(oldest, 'en', { numeric: true }) >= 0
  const current = process.versions.node
  if (isSupported(current) || (existsSync(LINK) && isSupported(installedVersion()))) return

  // A link to a Node.js that is too old as well would run the commands below.
  rmSync(LINK, { force: true })
  await installNode(readFileSync('.nvmrc', 'utf8').trim(), run)
  console.log(`Node.js ${current} is older than ${oldest}; using Node.js ${installedVersion()} from node_modules`)
}

function installedVersion() {
  return JSON.parse(readFileSync(`${FOLDER}/node_modules/node/package.json`, 'utf8')).version
}

async function installNode(version, run) {
  mkdirSync(FOLDER, { recursive: true })
  // The package's install script fetches the binary of this platform.
  writeFileSync(`${FOLDER}/package.json`, JSON.stringify({ private: true, allowScripts: { node: true } }))
  await run(FOLDER, 'npm', 'install', '--no-save', '--no-audit', '--no-fund', `node@${version}`)
  mkdirSync('node_modules/.bin', { recursive: true })
  symlinkSync('../.node/node_modules/node/bin/node', LINK)
}

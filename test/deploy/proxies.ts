// Starts a real proxy with its file of deploy/proxy. Only addresses and the certificate are replaced.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { onTestFinished } from 'vitest'
import { deployToolEnvironment, findDeployTool } from '../../scripts/deploy-tools.mjs'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { type SelfSigned, selfSigned } from '../support/fakes/self-signed.ts'
import { emptyFolder } from '../support/heliograph-process.ts'

// `ca` is the certificate to trust, of a proxy that needs one.
export type RunningProxy = { url: string; ca?: string }

// Starts a proxy that forwards to nodes on these ports of loopback.
export type StartProxy = (...nodePorts: number[]) => Promise<RunningProxy>

export const PROXIES: [name: string, start: StartProxy][] = [
  ['nginx', startNginx],
  ['HAProxy', startHaproxy],
  ['Caddy', startCaddy],
]

async function startNginx(...nodePorts: number[]): Promise<RunningProxy> {
  const [folder, port, tls] = [emptyFolder(), await freePort(), selfSigned()]
  const site = readFileSync('deploy/proxy/nginx.conf', 'utf8')
    .replace(/server 127\.0\.0\.1:8080(.*;)/, (_, rest) =>
      nodePorts.map((node) => `server 127.0.0.1:${node}${rest}`).join('\n'),
    )
    .replace(/ +listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace(/\/etc\/letsencrypt\/live\/push\.example\.org/g, folder)
  writeCertificate(folder, tls)
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(join(folder, 'nginx.conf'), nginxMain(folder))
  await start('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-g', 'daemon off;'], port)
  return { url: `https://127.0.0.1:${port}`, ca: tls.cert }
}

async function startHaproxy(...nodePorts: number[]): Promise<RunningProxy> {
  const [folder, port, tls] = [emptyFolder(), await freePort(), selfSigned()]
  const configuration = readFileSync('deploy/proxy/haproxy.cfg', 'utf8')
    .replace(/ +server node-1 .*/, nodePorts.map((node) => `    server node-${node} 127.0.0.1:${node}`).join('\n'))
    .replace('bind :80', `bind 127.0.0.1:${await freePort()}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('/etc/haproxy/certs', folder)
  writeFileSync(join(folder, 'push.example.org.pem'), tls.cert + tls.key)
  writeFileSync(join(folder, 'haproxy.cfg'), configuration)
  await start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], port)
  return { url: `https://127.0.0.1:${port}`, ca: tls.cert }
}

async function startCaddy(...nodePorts: number[]): Promise<RunningProxy> {
  const [folder, port] = [emptyFolder(), await freePort()]
  // Without the administration, whose port other tests may use. With a host name Caddy would ask a public authority for a
  // certificate, so the address is plain HTTP.
  const options = '{\n\tadmin off\n}\n'
  writeFileSync(join(folder, 'Caddyfile'), options + readFileSync('deploy/proxy/Caddyfile', 'utf8'))
  const environment = {
    DOMAIN: `http://127.0.0.1:${port}`,
    UPSTREAMS: nodePorts.map((node) => `127.0.0.1:${node}`).join(' '),
    HOME: folder,
  }
  await start('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], port, environment)
  return { url: `http://127.0.0.1:${port}` }
}

function nginxMain(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  // As root its workers would run as nobody, who may not write to the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `${user} worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`
}

function writeCertificate(folder: string, { cert, key }: SelfSigned): void {
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
}

// Resolves when the proxy listens on the port, and rejects with what it wrote when it does not.
async function start(
  name: 'nginx' | 'haproxy' | 'caddy',
  args: string[],
  port: number,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const program = findDeployTool(name)
  if (!program) throw new Error(`no ${name} found; "node scripts/setup.mjs --deploy" brings it`)
  const child = spawn(program, args, {
    env: { ...deployToolEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(async () => {
    // nginx and HAProxy end their workers on SIGTERM.
    if (child.kill('SIGTERM')) await once(child, 'exit')
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  }).catch(() => {
    throw new Error(`${name} does not listen: ${errors}`)
  })
}

// Makes the requests of this test come from another address of loopback, and trust the proxy's certificate.
export function connectFrom({ ca }: RunningProxy, localAddress: string): void {
  const [before, agent] = [getGlobalDispatcher(), new Agent({ localAddress, connect: { ca } })]
  setGlobalDispatcher(agent)
  onTestFinished(async () => {
    setGlobalDispatcher(before)
    await agent.destroy()
  })
}

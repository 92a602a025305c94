// Runs the commands of one page as a reader does: in one shell, in order, against a server that was just started. The
// placeholders that readers replace, such as hlk_…, are replaced by the server's own values.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { NOBODY } from '../support/fakes/replying-server.ts'
import { emptyFolder, MAIN, type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'
import { startMailCatcher } from './mail-catcher.ts'
import { difference, lastJson } from './output-shape.ts'
import { type Step, stepsOf } from './steps.ts'

type RunStep = Extract<Step, { kind: 'run' }>

// Returns how many blocks ran, and the reasons why others did not. Throws at the first block that fails.
export async function runPage(file: string): Promise<{ run: number; notRun: string[] }> {
  const steps = stepsOf(readFileSync(file, 'utf8'))
  const unmarked = steps.filter(({ kind }) => kind === 'unmarked')
  if (unmarked.length > 0) {
    const places = unmarked.map(({ line }) => `${file}:${line}`).join(', ')
    throw new Error(`without an expectation, and not marked as "not run": ${places}`)
  }
  const unused = steps.filter((step) => step.kind === 'file' && !isUsed(step.name, steps))
  if (unused.length > 0) throw new Error(`a file that no command uses: ${unused.map(({ line }) => `${file}:${line}`)}`)
  const run = steps.filter((step) => step.kind === 'run')
  if (run.length > 0) await runSteps(file, steps)
  return { run: run.length, notRun: steps.flatMap((step) => (step.kind === 'not run' ? [step.reason] : [])) }
}

// Under its name, or without its ending, as Python names modules.
function isUsed(name: string, steps: Step[]): boolean {
  const stem = name.replace(/\.\w+$/, '')
  return steps.some((step) => (step.kind === 'run' || step.kind === 'hidden') && step.text.includes(stem))
}

async function runSteps(file: string, steps: Step[]): Promise<void> {
  const reader = await startReader()
  const lines = steps.flatMap((step, index) => shellLine(reader, step, index))
  writeFileSync(join(reader.folder, 'page.sh'), `set -e\n${lines.join('\n')}\n`)
  const stderr = await runShell(reader)
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'run' && step.kind !== 'hidden') continue
    const output = outputOf(reader, index)
    if (!existsSync(join(reader.folder, `step-${index}.done`))) {
      throw new Error(`${file}:${step.line} failed\n${output ?? 'it was not reached'}\n${stderr}`)
    }
    if (step.kind === 'run') checkOutput(`${file}:${step.line}`, step, output ?? '')
  }
}

type Reader = { folder: string; environment: Record<string, string>; placeholders: [string, string][] }

// A server, an account on it, and a folder in which `heliograph` and `./heliograph` are the built program. What a page installs
// globally goes into the folder, and nothing is fetched from a registry.
async function startReader(): Promise<Reader> {
  const folder = emptyFolder()
  const mail = await startMailCatcher(join(folder, 'mails'))
  const settings = {
    HELIOGRAPH_DATA_DIR: join(folder, 'data'),
    HELIOGRAPH_SMTP_URL: mail.url,
    HELIOGRAPH_MAIL_FROM: 'heliograph@example.org',
  }
  const [port, metricsPort] = [await freePort(), await freePort()].map(String)
  const environment = {
    ...settings,
    HELIOGRAPH_PORT: port,
    HELIOGRAPH_METRICS_PORT: metricsPort,
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
  }
  const server = await startHeliograph(['serve'], { environment })
  const key = /hlk_\w+/.exec(server.output())?.[0] ?? ''
  const token = await signIn(server)

  const binaries = join(folder, 'bin')
  mkdirSync(binaries)
  symlinkSync(MAIN, join(binaries, 'heliograph'))
  symlinkSync(resolve('heliograph'), join(folder, 'heliograph'))
  // curl then fails for an answer that is an error, which readers see for themselves. Not by .curlrc, where it contradicts -f.
  const curl = execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
  const script = `case $1 in -f*) exec ${curl} "$@" ;; *) exec ${curl} --fail-with-body --show-error "$@" ;; esac`
  writeFileSync(join(binaries, 'curl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return {
    folder,
    environment: {
      ...settings,
      PATH: [join(folder, 'npm/bin'), binaries, dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: folder,
      npm_config_prefix: join(folder, 'npm'),
      npm_config_registry: NOBODY,
      npm_config_update_notifier: 'false',
      PIP_TARGET: join(folder, 'python'),
      PIP_INDEX_URL: NOBODY,
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PYTHONPATH: join(folder, 'python'),
      URL: server.url,
      KEY: key,
      TOKEN: token,
      HELIOGRAPH_URL: server.url,
      HELIOGRAPH_TOKEN: key,
      HELIOGRAPH_PUBLIC_URL: server.url,
      MAILS: join(folder, 'mails'),
    },
    placeholders: [
      ['http://127.0.0.1:8080', server.url],
      ['http://127.0.0.1:9464', `http://127.0.0.1:${metricsPort}`],
      ['hlk_…', key],
      ['hla_…', token],
    ],
  }
}

// By the link that the first start prints.
async function signIn({ url, output }: RunningProcess): Promise<string> {
  const code = /#signin=(\S+)/.exec(output())?.[1]
  const answer = await fetch(`${url}/auth/link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return ((await answer.json()) as { token: string }).token
}

// With port 0 the server would not know its address when it makes the links of its mails.
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function shellLine({ folder, placeholders }: Reader, step: Step, index: number): string[] {
  if (step.kind === 'not run' || step.kind === 'unmarked') return []
  const text = placeholders.reduce((filled, [placeholder, value]) => filled.replaceAll(placeholder, value), step.text)
  if (step.kind === 'file') {
    writeFileSync(join(folder, step.name), text)
    return []
  }
  const name = `step-${index}`
  writeFileSync(join(folder, name), text)
  const command = { sh: '.', js: 'node', python: 'python3' }[step.kind === 'run' ? step.language : 'sh']
  const source = command === 'node' ? `${name}.mjs` : name
  if (source !== name) writeFileSync(join(folder, source), text)
  return [`${command} ./${source} > ${name}.out`, `touch ${name}.done`]
}

// The shell leads a process group of its own, so that what it left running ends with it.
async function runShell({ folder, environment }: Reader): Promise<string> {
  const shell = spawn('bash', ['page.sh'], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => endGroup(shell.pid as number))
  let stderr = ''
  shell.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  await once(shell, 'exit')
  return stderr
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // Every process of the group has ended by itself.
  }
}

function outputOf({ folder }: Reader, index: number): string | undefined {
  const path = join(folder, `step-${index}.out`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function checkOutput(place: string, { expect }: RunStep, output: string): void {
  if (expect.json !== undefined) {
    const found = difference(lastJson(output), expect.json)
    if (found) throw new Error(`${place}: ${found}`)
  }
  if (expect.text === 'nothing' && output.trim() !== '') throw new Error(`${place} printed ${output}`)
  if (expect.text !== undefined && expect.text !== 'nothing' && !output.includes(expect.text)) {
    throw new Error(`${place} did not print "${expect.text}" but: ${output}`)
  }
}

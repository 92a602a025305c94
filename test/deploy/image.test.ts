// The steps of the Dockerfile, executed in folders instead of an image, because the tests need no container engine: the
// build, the production dependencies, the health check, and the program as process 1 of its own PID namespace.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildContext, type Instruction, readDockerfile, type Stage } from '../packaging/dockerfile.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { megabytesOf, report } from './measures.ts'

// Stands for the user of the image; any user without rights will do.
const NOBODY = 65_534

const temporary = mkdtempSync(join(tmpdir(), 'heliograph-image-'))
const stages = readDockerfile()
const image = stages.at(-1) as Stage
const app = join(temporary, image.name)

const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

beforeAll(() => {
  chmodSync(temporary, 0o755)
  for (const stage of stages) execute(stage)
})
afterAll(() => rmSync(temporary, { recursive: true }))

describe.skipIf(!canUnshare)('the image', () => {
  test('serves as process 1 without rights, tells its health, and ends with 0 on SIGTERM', async () => {
    report('files of the image, without Node.js', megabytesOf(app), 'MB')
    const environment = imageEnvironment(await freePort())
    expect(healthOf(environment)).toBe(1)
    const child = startAsProcessOne(environment)
    await eventually(() => expect(healthOf(environment)).toBe(0))
    expect(await get(environment, '/app/')).toContain('<title>Heliograph</title>')
    process.kill(processOneOf(child), 'SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(healthOf(environment)).toBe(1)
  })
})

// Each stage is a folder. RUN steps of the last stage change folders of the system, so they are left out.
function execute(stage: Stage): void {
  const folder = join(temporary, stage.name)
  mkdirSync(folder)
  for (const instruction of stage.instructions) {
    if (instruction.name === 'COPY') copy(instruction, folder)
    if (instruction.name === 'RUN' && stage !== image) {
      execFileSync('sh', ['-c', instruction.value], { cwd: folder, stdio: 'pipe' })
    }
  }
}

function copy({ value }: Instruction, folder: string): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(value) ?? []
  const target = join(folder, String(paths.split(' ').at(-1)))
  for (const path of paths.split(' ').slice(0, -1)) {
    if (from) cpSync(path.replace('/build', join(temporary, from)), target, { recursive: true })
    else if (path === '.') for (const name of buildContext()) cpSync(name, join(folder, name), { recursive: true })
    else cpSync(path, join(target, path), { recursive: true })
  }
}

type ImageEnvironment = NodeJS.ProcessEnv & { HELIOGRAPH_PORT: string }

function imageEnvironment(port: number): ImageEnvironment {
  const data = mkdtempSync(join(temporary, 'data-'))
  chownSync(data, NOBODY, NOBODY)
  const declared = instructionOf('ENV')
    .split(' ')
    .map((pair) => pair.split('=', 2))
  return {
    PATH: process.env.PATH,
    ...Object.fromEntries(declared),
    HELIOGRAPH_DATA_DIR: data,
    HELIOGRAPH_HOST: '127.0.0.1',
    HELIOGRAPH_PORT: String(port),
  }
}

const instructionOf = (name: string) => image.instructions.find((instruction) => instruction.name === name)?.value ?? ''

function startAsProcessOne(env: ImageEnvironment): ChildProcess {
  const command: string[] = [...JSON.parse(instructionOf('ENTRYPOINT')), ...JSON.parse(instructionOf('CMD'))]
  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  const inApp = command.map((part) => part.replace('/app', app))
  const child = spawn('unshare', ['--pid', '--fork', '--kill-child', ...asNobody, ...inApp], {
    cwd: app,
    env,
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const processOneOf = ({ pid }: ChildProcess) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))

// The exit code of the command of HEALTHCHECK.
function healthOf(env: ImageEnvironment): number | null {
  const [program, ...args]: string[] = JSON.parse(/CMD (\[.*\])/.exec(instructionOf('HEALTHCHECK'))?.[1] ?? '[]')
  return spawnSync(String(program), args, { env }).status
}

async function get({ HELIOGRAPH_PORT }: ImageEnvironment, path: string): Promise<string> {
  return (await fetch(`http://127.0.0.1:${HELIOGRAPH_PORT}${path}`)).text()
}

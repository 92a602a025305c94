// Nothing that we print fetches a stranger's package: the name heliograph belongs to somebody else on npm, and to nobody on PyPI.
// Every command that installs or runs a package of ours names a file, or an address of the server. Each of them is run in an empty
// folder, with a registry that records what it is asked for and has nothing.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/runtime/version.ts'
import { useTestApp } from '../support/app.ts'
import { startServer } from '../support/fakes/local-servers.ts'
import { emptyFolder } from '../support/heliograph-process.ts'
import { nightlyTest } from '../support/nightly.ts'

const app = useTestApp()

// The documents, the texts and snippets of the console, the outputs of the program, the action, and the files for operators.
// Decisions and the changelog tell of the past.
const PRINTED = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'action.yml',
  'Dockerfile',
  'heliograph',
]
const FOLDERS = ['docs', 'console/src', 'src', 'clients', 'deploy', 'scripts']
const files = [
  ...PRINTED,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/docs\/(?:decisions|images)/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name)),
  ),
]

// A command up to the end of its line or of its quotation, or the configuration of a program that starts one.
const COMMAND =
  /(?:\b(?:npm|pnpm|yarn|bun|pip3?|pipx|uv) (?:i|install|add|exec|x|dlx|run|pip install)\b|\b(?:npx|pnpx|bunx|uvx)\b)[^\n`“”„|;&#)]*/g
const CONFIGURATION = /"command": "npx",\s*"args": \[([^\]]*)\]/g
const OURS = /^@?heliograph(?:\/[\w-]+)?(?:@.*|==.*)?$/

const commandsIn = (text: string): string[] => [
  ...[...text.matchAll(COMMAND)].map(([command]) => command.trim()),
  ...[...text.matchAll(CONFIGURATION)].map(([, args]) => `npx ${JSON.parse(`[${args}]`).join(' ')}`),
]

// The packages that a command asks for. A runner takes the first word for one, unless --package names it.
function packagesOf(command: string): string[] {
  const words = command.split(/[\s'"]+/).filter((word) => word !== '')
  const named = words.flatMap((word, index) => (/^(?:-p|--package)$/.test(word) ? (words[index + 1] ?? []) : []))
  const operands = words.slice(1).filter((word) => !word.startsWith('-') && !/^(?:exec|x|dlx|run)$/.test(word))
  const isRunner = /^(?:npx|pnpx|bunx|uvx)$|^(?:exec|x|dlx)$/.test(
    words.slice(0, 2).find((word) => word !== 'npm') ?? '',
  )
  return isRunner ? (named.length > 0 ? named : operands.slice(0, 1)) : operands
}

const isFetchedByName = (command: string) => packagesOf(command).some((name) => OURS.test(name))

describe('the rule', () => {
  test.each([
    'npx heliograph send x',
    'npx -y heliograph mcp',
    'npx --yes heliograph@0.1.0',
    'npm exec heliograph',
    'npm install heliograph',
    'npm install --global heliograph @opentelemetry/sdk-node',
    'npm i -g @heliograph/cli',
    'npx --package @heliograph/cli heliograph me',
    'pip install heliograph',
    'pip install heliograph==0.1.0',
  ])('finds %s', (command) => {
    expect(commandsIn(`Run “${command}” once.`).filter(isFetchedByName)).toEqual([command])
  })

  test('finds the configuration of a program that starts a command', () => {
    const text = JSON.stringify({ command: 'npx', args: ['-y', 'heliograph', 'mcp'] }, undefined, 2)
    expect(commandsIn(text).filter(isFetchedByName)).toEqual(['npx -y heliograph mcp'])
  })

  test.each([
    'npx --yes --package http://h.example/clients/heliograph-cli.tgz heliograph me',
    'npm install ./heliograph-client.tgz',
    'pip install ./clients/python',
    'npm install --global @opentelemetry/sdk-node',
  ])('allows %s', (command) => {
    expect(commandsIn(command).filter(isFetchedByName)).toEqual([])
  })
})

test('no document, text, snippet or script installs or runs a package of ours by its name', async () => {
  const texts = files.map((file) => ({ place: file, text: readFileSync(file, 'utf8') }))
  const snippets = Object.entries(await consoleSnippets()).map(([id, parts]) => ({ place: id, text: parts.join('\n') }))
  const found = [...texts, ...snippets].flatMap(({ place, text }) =>
    commandsIn(text)
      .filter(isFetchedByName)
      .map((command) => `${place}: ${command}`),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(found).toEqual([])
})

// What the console shows, with the address of the server in it. Its sources are checked with the types of browsers, not here.
async function consoleSnippets(): Promise<Record<string, string[]>> {
  const { PROGRAMS } = await import(resolve('console/src/first-run/programs.ts'))
  const { INSTALL } = await import(resolve('src/contract/clients.ts'))
  const ofPrograms = Object.entries(PROGRAMS as Record<string, { snippets?: (url: string, key: string) => string[] }>)
  return {
    ...Object.fromEntries(ofPrograms.map(([id, { snippets }]) => [id, snippets?.(app.url, 'hlk_K') ?? []])),
    terminal: [INSTALL.commandLine(app.url)],
  }
}

// The lines of documents that name a file of /clients/, with the address of the server in place of the examples.
const documentedLines = (): string[] =>
  ['README.md', ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : []))]
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .map((line) =>
      line.replace(/http:\/\/127\.0\.0\.1:8080|https:\/\/push\.example\.org|"?\$(?:HELIOGRAPH_)?URL"?/, app.url),
    )
    .filter((line) => /^(?:npm|npx|pip|curl) .*\/clients\/heliograph|^npm install \.\//.test(line))

// How it is seen that a command did what it is for.
type Proof = { of: RegExp; use: string; prints: string }
const PROOFS: Proof[] = [
  { of: /--global/, use: 'heliograph --version', prints: VERSION },
  { of: /^npx/, use: 'true', prints: 'Commands:' },
  {
    of: /heliograph-client/,
    use: `echo "import('@heliograph/client').then(console.log)" | node`,
    prints: 'createClient',
  },
  { of: /\.whl/, use: 'python3 -c "import heliograph; print(dir(heliograph))"', prints: "'Client'" },
  { of: /\.sh$/, use: '. ./heliograph.sh && command -v heliograph', prints: 'heliograph\n' },
]
// `npm test` needs nothing but Node.js.
const missing = ['curl', 'pip', 'python3'].filter((program) => spawnSync(program, ['--version']).status !== 0)
const canRun = (line: string) => !missing.some((program) => line.startsWith(program))

type Done = { code: number | null; stdout: string; stderr: string; asked: string[] }

// npm 12 refuses addresses unless the command allows them; npm 11.16 and newer can be told to do the same.
async function runInEmptyFolder(script: string, environment: Record<string, string> = {}, stdin = ''): Promise<Done> {
  const folder = emptyFolder()
  const asked: string[] = []
  const { url: registry } = await startServer((request, response) => {
    asked.push(String(request.url))
    response.writeHead(404).end('{}')
  })
  const env = {
    PATH: `${folder}/npm/bin:${process.env.PATH}`,
    HOME: folder,
    npm_config_registry: registry,
    npm_config_prefix: `${folder}/npm`,
    npm_config_allow_remote: 'none',
    PIP_INDEX_URL: `${registry}simple/`,
    PIP_TARGET: `${folder}/python`,
    PYTHONPATH: `${folder}/python`,
    ...environment,
  }
  const child = spawn('sh', ['-ec', script], { cwd: folder, env })
  const done = { code: null as number | null, stdout: '', stderr: '', asked }
  child.stdout.on('data', (text) => (done.stdout += text))
  child.stderr.on('data', (text) => (done.stderr += text))
  child.stdin.end(stdin)
  done.code = await new Promise((end) => child.on('close', end))
  return done
}

// npm also asks the registry for its own newest version, and for warnings about what it has installed.
function expectOnlyOurServer({ code, stderr, asked }: Done): void {
  expect([code, stderr]).toEqual([0, expect.any(String)])
  expect(asked.filter((path) => /heliograph/i.test(path))).toEqual([])
}

nightlyTest(
  'each command that the console or a document shows installs from the server, and asks no registry for it',
  async () => {
    const shown = Object.values(await consoleSnippets()).flat()
    const index = (await app.get('/clients/')).text.split('\n').map((line) => line.trim())
    const lines = [...shown.flatMap((snippet) => snippet.split('\n')), ...index, ...documentedLines()]
    const isOurs = (line: string) => /^(?:npm|npx|pip|curl -fsSO) /.test(line)
    const commands = [...new Set(lines.filter(isOurs))].sort()
    expect(commands.map((line) => line.replace(app.url, ''))).toEqual([
      'curl -fsSO /clients/heliograph-client.tgz',
      'curl -fsSO /clients/heliograph.sh',
      'npm install --global --allow-remote=root /clients/heliograph-cli.tgz',
      'npm install ./heliograph-client.tgz',
      'npx --yes --allow-remote=root --package /clients/heliograph-cli.tgz heliograph --help',
      `pip install /clients/heliograph-${VERSION}-py3-none-any.whl`,
    ])
    // The file that npm installs is fetched by the first of them.
    const [fetchClient, ...others] = commands
    const tried = others.filter(canRun)
    const scripts = tried.map((line) => (line.includes('./') ? `${fetchClient}\n${line}` : line))
    const results = await Promise.all(
      scripts.map(async (script) => {
        const { use, prints } = PROOFS.find(({ of }) => of.test(script)) as Proof
        return { done: await runInEmptyFolder(`${script}\n${use}`), prints }
      }),
    )
    for (const { done, prints } of results) {
      expectOnlyOurServer(done)
      expect(done.stdout).toContain(prints)
    }
  },
)

test('npx heliograph in a checkout runs the program of the checkout', async () => {
  const done = await runInEmptyFolder(`cd '${resolve('.')}' && npx heliograph --version`)
  expectOnlyOurServer(done)
  expect(done.stdout).toBe(`${VERSION}\n`)
})

const INITIALIZE = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
})}\n`

test('the configuration of Claude Desktop in the console and in docs/mcp.md starts the command of the server', async () => {
  const { defaultKey } = await app.addUser()
  const shown = (await consoleSnippets())['claude-desktop']?.[0]
  const documented = /\{\n {2}"mcpServers": \{\n {4}"heliograph": \{\n {6}"command[^`]*/.exec(
    readFileSync('docs/mcp.md', 'utf8'),
  )?.[0]
  const [ofConsole, ofDocument] = [shown, documented].map((text) => {
    const filled = String(text)
      .replaceAll('https://push.example.org', app.url)
      .replace(/hlk_[\wK…]+/, defaultKey)
    return JSON.parse(filled).mcpServers.heliograph
  })
  expect(ofDocument).toEqual(ofConsole)
  const { command, args, env } = ofConsole
  const done = await runInEmptyFolder([command, ...args].join(' '), env, INITIALIZE)
  expectOnlyOurServer(done)
  expect(JSON.parse(done.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'heliograph' } } })
})

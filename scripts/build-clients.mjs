// Builds into dist/clients what the server hands out at /clients/: its command line and the TypeScript client as npm packages,
// the Python client as a wheel, and the shell function. No package has dependencies, so that an installation asks no registry.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { tarball, zip } from './archives.mjs'
import { manPage } from './man-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const { version, license, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
const licence = { path: 'LICENSE', content: readFileSync('LICENSE') }

const clients = [
  { file: 'heliograph-cli.tgz', content: npmPackage(cliManifest(), await commandLineFiles()) },
  { file: 'heliograph-client.tgz', content: npmPackage(clientManifest(), filesIn('dist/client', /\.(?:js|d\.ts)$/)) },
  { file: `heliograph-${version}-py3-none-any.whl`, content: wheel() },
  { file: 'heliograph.sh', content: readFileSync('clients/shell/heliograph.sh') },
]

rmSync('dist/clients', { recursive: true, force: true })
mkdirSync('dist/clients')
for (const { file, content } of clients) writeFileSync(`dist/clients/${file}`, content)
const sums = clients.map(({ file, content }) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`)
writeFileSync('dist/clients/SHA256SUMS', sums.join(''))

function cliManifest() {
  return {
    name: '@heliograph/cli',
    description: 'Command line of Heliograph, for machines on which no server runs.',
    bin: { heliograph: 'dist/cli/client-main.js' },
    man: ['heliograph.1'],
  }
}

function clientManifest() {
  return {
    name: '@heliograph/client',
    description: 'Client of Heliograph: notifications, questions, live activities and widgets on your own devices.',
    exports: { '.': { types: './clients/typescript/client.d.ts', default: './clients/typescript/client.js' } },
    sideEffects: false,
  }
}

// `private`: the packages are handed out by servers, and not published under these names.
function npmPackage(manifest, files) {
  const all = { ...manifest, version, private: true, license, type: 'module', engines }
  const content = Buffer.from(`${JSON.stringify(all, undefined, 2)}\n`)
  return tarball(
    [{ path: 'package.json', content }, licence, ...files].map((file) => ({ ...file, path: `package/${file.path}` })),
  )
}

async function commandLineFiles() {
  const { CLIENT_COMMANDS } = await import('../src/cli/client/commands.ts')
  const { commandLine } = await import('../src/cli/command-line.ts')
  const { HELP_TOPICS } = await import('../src/cli/help-topics.ts')
  const { loadProgram } = commandLine({ groups: { 'Commands:': CLIENT_COMMANDS }, topics: ['clients'] })
  const page = manPage(await loadProgram(), { clients: HELP_TOPICS.clients() })
  return [...(await bundledCommandLine()), { path: 'heliograph.1', content: Buffer.from(page) }]
}

// In a folder as deep as src/runtime, which reads package.json by its relative path.
async function bundledCommandLine() {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: 'src/client-main.ts',
      write: false,
      target: `node${engines.node.replace('>=', '')}`,
      minify: false,
      // The licences of the packages in the bundle ask for a copy of their text.
      license: { fileName: 'licenses.md' },
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
  return output.map((part) => ({
    path: part.fileName === 'licenses.md' ? part.fileName : `dist/cli/${part.fileName}`,
    content: Buffer.from(part.code ?? part.source),
    isExecutable: part.isEntry,
  }))
}

// A wheel is a zip with the modules and, in a folder of its own, what pyproject.toml says about them.
function wheel() {
  const project = readFileSync('clients/python/pyproject.toml', 'utf8')
  const field = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)[1]
  const info = `heliograph-${version}.dist-info`
  const texts = {
    METADATA: `Metadata-Version: 2.1
Name: ${field('name')}
Version: ${version}
Summary: ${field('description')}
License: ${license}
Requires-Python: ${field('requires-python')}
`,
    WHEEL: 'Wheel-Version: 1.0\nGenerator: heliograph\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  }
  const files = [
    ...filesIn('clients/python/src', /\.py$|py\.typed$/),
    { ...licence, path: `${info}/LICENSE` },
    ...Object.entries(texts).map(([name, text]) => ({ path: `${info}/${name}`, content: Buffer.from(text) })),
  ]
  const record = `${info}/RECORD`
  const rows = files.map(({ path, content }) => {
    const digest = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${digest},${content.length}\n`
  })
  return zip([...files, { path: record, content: Buffer.from(`${rows.join('')}${record},,\n`) }])
}

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => ({ path, content: readFileSync(`${folder}/${path}`) }))
}

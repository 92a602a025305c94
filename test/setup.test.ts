// On a Node.js that is too old, the set-up that `npm start` and `npm test` run first brings a supported one, and the
// built program names the version it needs. The tests raise the oldest supported version above the one they run on.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../src/runtime/version.ts'
import { emptyFolder, MAIN } from './support/heliograph-process.ts'
import { isNightly } from './support/nightly.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function folderWith(parts: string[], engine: string): string {
  const folder = realpathSync(emptyFolder())
  for (const part of parts) cpSync(join(ROOT, part), join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node: engine } }))
  return folder
}

describe('the set-up', () => {
  // Records how it was called. Asked for `node`, it leaves one that does the same.
  const NPM = `#!/bin/sh
    echo "$(basename "$PWD")$ npm $*" >> "$RECORD"
    case "$*" in *node@*)
      mkdir -p node_modules/node/bin
      echo '{ "version": "99.2.0" }' > node_modules/node/package.json
      printf '#!/bin/sh\\necho "99.2.0 $*" >> "$RECORD"\\n' > node_modules/node/bin/node
      chmod +x node_modules/node/bin/node
    esac`

  function checkout(engine: string): string {
    const folder = folderWith(['scripts', '.nvmrc'], engine)
    const files = [
      'package-lock.json',
      'src/main.ts',
      'src/contract/limits.ts',
      'clients/typescript/client.ts',
      'console/index.html',
      'docs/README.md',
      'bin/npm',
    ]
    for (const name of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), '')
    }
    writeFileSync(join(folder, 'bin/npm'), NPM)
    chmodSync(join(folder, 'bin/npm'), 0o755)
    // The packages that the other `npm install` would bring: they only have to run.
    mkdirSync(join(folder, 'node_modules/@typescript/native/bin'), { recursive: true })
    writeFileSync(join(folder, 'node_modules/@typescript/native/bin/tsc'), '')
    const builders = ['build-server', 'build-clients', 'build-console', 'build-pictures', 'build-docs', 'man-page']
    for (const name of builders) writeFileSync(join(folder, `scripts/${name}.mjs`), '')
    return folder
  }

  function runSetUp(folder: string, args: string[] = [], environment: Record<string, string> = {}) {
    const record = join(folder, 'record')
    writeFileSync(record, '')
    const path = [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs', ...args], {
      cwd: folder,
      env: { PATH: path, RECORD: record, ...environment },
      encoding: 'utf8',
    })
    return { status, stdout, stderr, calls: readFileSync(record, 'utf8').trim().split('\n') }
  }

  function setUp(folder: string) {
    const { status, stderr, ...rest } = runSetUp(folder)
    expect([status, stderr]).toEqual([0, ''])
    return rest
  }

  test('brings Node.js 24 first and uses it for all that follows, where the Node.js of the machine is too old', () => {
    const { stdout, calls } = setUp(checkout('>=99.1'))
    expect(stdout).toContain(
      `Node.js ${process.versions.node} is older than 99.1; using Node.js 99.2.0 from node_modules\n`,
    )
    expect(calls).toEqual([
      expect.stringMatching(/^\.node\$ npm install --no-save .*node@24$/),
      expect.stringContaining('npm install --no-save --include=dev'),
      '99.2.0 scripts/build-server.mjs',
      '99.2.0 node_modules/@typescript/native/bin/tsc -p clients/typescript',
      '99.2.0 --experimental-strip-types scripts/build-clients.mjs',
      '99.2.0 --experimental-strip-types scripts/man-page.mjs',
      '99.2.0 scripts/build-console.mjs',
      '99.2.0 scripts/build-pictures.mjs',
      '99.2.0 scripts/build-docs.mjs',
    ])
  })

  test('keeps the Node.js it has brought for as long as that is supported', () => {
    const folder = checkout('>=99.1')
    const path = join(folder, 'node_modules/.node/node_modules/node')
    const bringsNode = expect.stringContaining('node@24')
    expect(setUp(folder).calls).toContainEqual(bringsNode)
    expect(setUp(folder).calls).not.toContainEqual(bringsNode)
    writeFileSync(join(path, 'package.json'), '{ "version": "99.0.0" }')
    expect(setUp(folder).calls).toContainEqual(bringsNode)
  })

  test.each(['>=20.19', `>=${process.versions.node}`])('brings none where package.json asks for %s', (engine) => {
    const { stdout, calls } = setUp(checkout(engine))
    expect(stdout).not.toContain('Node.js')
    expect(calls).toEqual([expect.stringContaining('npm install --no-save --include=dev')])
  })

  describe('where no browser is installed, and none can be', () => {
    const PLAYWRIGHT = `import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
      appendFileSync(process.env.RECORD, 'playwright ' + process.argv.slice(2).join(' ') + '\\n')
      if (process.env.OFFLINE) process.exit(1)
      const programs = { 'chromium-1/chrome-linux': 'chrome', 'chromium_headless_shell-1/chrome-linux': 'headless_shell' }
      for (const [folder, name] of Object.entries(programs)) {
        const place = process.env.PLAYWRIGHT_BROWSERS_PATH + '/' + folder
        mkdirSync(place, { recursive: true })
        writeFileSync(place + '/' + name, '#!/bin/sh\\nexit ' + (process.env.LACKS_LIBRARY ? 127 : 0))
        chmodSync(place + '/' + name, 0o755)
      }`

    function checkoutWithoutBrowser(): string {
      const folder = checkout('>=20.19')
      const browsers = join(folder, 'scripts/browsers.mjs')
      writeFileSync(browsers, readFileSync(browsers, 'utf8').replace(/'\/(usr|Applications)\//g, "'/nowhere/"))
      writeFileSync(join(folder, 'bin/apt-get'), '#!/bin/sh\nexit 100')
      chmodSync(join(folder, 'bin/apt-get'), 0o755)
      mkdirSync(join(folder, 'node_modules/playwright-core'))
      writeFileSync(join(folder, 'node_modules/playwright-core/cli.js'), PLAYWRIGHT)
      writeFileSync(join(folder, 'node_modules/playwright-core/package.json'), '{ "type": "module" }')
      return folder
    }

    // As in a Debian that has none yet. Each waits for the other, so neither ends if they run one after the other.
    const NPM_OF_DEBIAN = '#!/bin/sh\ntouch npm; until [ -e apt-get ]; do sleep 0.01; done; [ -z "$NPM_FAILS" ]'
    const APT_GET = `#!/bin/sh
      echo "apt-get $*" >> "$RECORD"
      case "$*" in
        *headless-shell*) touch chromium-headless-shell ;;
        *install*) touch apt-get; until [ -e npm ]; do sleep 0.01; done; touch chromium; echo unpacking ;;
      esac`

    function debian(): string {
      const folder = checkoutWithoutBrowser()
      const browsers = join(folder, 'scripts/browsers.mjs')
      writeFileSync(browsers, readFileSync(browsers, 'utf8').replaceAll('/nowhere/bin/', `${folder}/`))
      const programs = {
        npm: NPM_OF_DEBIAN,
        'apt-get': APT_GET,
        'dpkg-query': "#!/bin/sh\nprintf 'chromium\\t12.3\\n'",
      }
      for (const [name, program] of Object.entries(programs)) {
        writeFileSync(join(folder, 'bin', name), program)
        chmodSync(join(folder, 'bin', name), 0o755)
      }
      return folder
    }

    const installsDebians = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

    test.runIf(installsDebians)('installs that of Debian, with its shell, beside the packages of npm', () => {
      const folder = debian()
      const { status, stdout, calls } = runSetUp(folder, ['--tests'])
      const install = 'apt-get install -y -q --no-install-recommends'
      expect([status, calls.filter((call) => call.includes(' install '))]).toEqual([
        0,
        [`${install} chromium`, `${install} chromium-headless-shell=12.3`],
      ])
      // Its lines would be mixed with those of npm.
      expect(stdout).not.toContain('unpacking')
      expect(runSetUp(folder, ['--tests']).calls).toEqual([''])
    })

    test.runIf(installsDebians)('ends only when that is installed, also if the packages of npm fail', () => {
      const folder = debian()
      const { status, stderr } = runSetUp(folder, ['--tests'], { NPM_FAILS: '1' })
      expect([status, existsSync(join(folder, 'chromium-headless-shell'))]).toEqual([1, true])
      expect(stderr).toMatch(/^heliograph: "npm install .*" failed; see above\n$/)
    })

    test('downloads one for the tests, once', () => {
      const folder = checkoutWithoutBrowser()
      const { status, stderr, calls } = runSetUp(folder, ['--tests'])
      expect([status, calls.at(-1)]).toEqual([0, 'playwright install chromium'])
      expect(stderr).not.toContain('the tests of the console need Chromium')
      expect(runSetUp(folder, ['--tests']).calls).not.toContain('playwright install chromium')
    })

    const TROUBLE: [string, Record<string, string>][] = [
      ['what was downloaded does not start', { LACKS_LIBRARY: '1' }],
      ['the download fails', { OFFLINE: '1' }],
    ]

    test.each(isNightly ? TROUBLE : TROUBLE.slice(0, 1))(
      'lets the other tests run if %s; CI fails',
      (_, environment) => {
        const folder = checkoutWithoutBrowser()
        const { status, stderr } = runSetUp(folder, ['--tests'], environment)
        expect([status, stderr.trimEnd().split('\n').at(-1)]).toEqual([
          0,
          'for example with "sudo apt-get install chromium"; without it they are left out',
        ])
        expect(runSetUp(folder, ['--tests'], { ...environment, CI: 'true' }).status).toBe(1)
      },
    )
  })
})

test('the program runs by its name, as npx runs it', () => {
  const { status, stdout } = spawnSync(MAIN, ['--version'], {
    env: { PATH: dirname(process.execPath) },
    encoding: 'utf8',
  })
  expect([status, stdout.trim()]).toEqual([0, VERSION])
})

test.each(['>=99.1', `>=${process.versions.node}.1`])(
  'the program ends with one sentence where package.json asks for %s',
  (engine) => {
    const folder = folderWith(['dist/main.js', 'dist/chunks'], engine)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/main.js', 'serve'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const needed = engine.replace('>=', '')
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `heliograph: Node.js ${needed} or newer is needed, and this is ${process.versions.node}; in a checkout, "npm start" brings its own\n`,
    )
  },
)

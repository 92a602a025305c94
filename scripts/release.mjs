// Makes a release: sets the version in every file that names it, dates the changes, builds what is published, commits and tags.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `npm run release -- major|minor|patch|VERSION [--skip-bench]
npm run release -- --files

Sets the version, such as 0.3.0, in every file that names it, and gives the section "Unreleased" of
CHANGELOG.md that version and the date. Builds into release/VERSION what is published: the package, the
clients, the bill of materials and SHA256SUMS. Commits, and tags the commit. Pushes nothing.

Refuses a tree with changes, a version that has a tag, a CHANGELOG.md without changes for it, and a rate
that is more than 5 % below that of the last release: npm run bench -- --compare LAST_TAG, which takes
about 12 minutes and wants an idle machine. A release that is refused or fails leaves the tree as it was.

  --skip-bench  does not compare, for example because it was done on another machine
  --files       only builds the files of the version that is checked out`

const NUMBERS = String.raw`\d+\.\d+\.\d+`

// Where each file names the version.
export const PLACES = [
  ['package.json', /(?<=^ {2}"version": ")[^"]+/gm],
  ['package-lock.json', /(?<="name": "@heliograph\/server",\n +"version": ")[^"]+/g],
  ['openapi.json', /(?<=^ {4}"version": ")[^"]+/gm],
  ['clients/python/pyproject.toml', /(?<=^version = ")[^"]+/gm],
  ['console/src/first-run/programs.ts', new RegExp(`(?<=heliograph@v)${NUMBERS}`, 'g')],
  ['docs/clients.md', new RegExp(`(?<=heliograph-|heliograph@v)${NUMBERS}`, 'g')],
  ['deploy/helm/heliograph/Chart.yaml', /(?<=^(?:version|appVersion): ).+/gm],
  ['deploy/kubernetes/kustomization.yaml', /(?<=^ {4}newTag: ).+/gm],
  ['docs/install.md', new RegExp(`(?<=heliograph-server-)${NUMBERS}`, 'g')],
]

function release(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, 'skip-bench': { type: 'boolean' }, files: { type: 'boolean' } },
  })
  if (values.help) return console.log(HELP)
  if (values.files) return buildFiles(join('release', presentVersion()))
  const version = versionFrom(positionals[0])
  const tag = `v${version}`
  if (git('status', '--porcelain') !== '') stop('the tree has changes; commit them first')
  if (git('tag', '--list', tag) !== '') stop(`there is a tag ${tag} already`)
  const changes = datedChanges(version)
  if (!values['skip-bench']) requireSpeed()
  try {
    writeFileSync('CHANGELOG.md', changes)
    for (const [file, place] of PLACES) setVersion(file, place, version)
    buildFiles(join('release', version))
    if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--all', '--message', `Release ${version}`)
    git('tag', '--annotate', '--message', `Heliograph ${version}`, tag)
  } catch (error) {
    git('restore', '.')
    throw error
  }
  console.log(`${tag} is tagged, its files are in release/${version}. Push it with: git push --follow-tags`)
}

const presentVersion = () => JSON.parse(readFileSync('package.json', 'utf8')).version

// "minor" is the one after that of package.json.
function versionFrom(argument = '') {
  if (new RegExp(`^${NUMBERS}$`).test(argument)) return argument
  const [major, minor, patch] = presentVersion().split('.').map(Number)
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] }
  if (!Object.hasOwn(next, argument)) stop('give the version, such as 0.3.0, or major, minor or patch')
  return next[argument].join('.')
}

// The text of CHANGELOG.md, in which this version has a section with a date and changes.
function datedChanges(version) {
  const text = readFileSync('CHANGELOG.md', 'utf8')
  const dated = text.replace(/^## Unreleased$/m, `## ${version} (${new Date().toISOString().slice(0, 10)})`)
  const headings = dated.match(
    new RegExp(String.raw`^## ${version.replaceAll('.', '\\.')} \(\d{4}-\d{2}-\d{2}\)\n\s*[^#\s]`, 'gm'),
  )
  if (headings?.length !== 1) {
    stop(`CHANGELOG.md must have one section "## Unreleased" or "## ${version} (YYYY-MM-DD)", with changes`)
  }
  return dated
}

// npm pack builds, so it comes first.
function buildFiles(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  cpSync('dist/clients', folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.json'), execFileSync('npm', ['run', '--silent', 'sbom']))
  const files = readdirSync(folder).filter((file) => file !== 'SHA256SUMS')
  const sums = files.toSorted().map((file) => `${checksum(join(folder, file))}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
}

const checksum = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')

// Less than 0.95 of a rate of the last release is a regression; the first release has none to be compared with.
function requireSpeed() {
  const [lastTag] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n')
  if (lastTag === '') return
  const { status } = spawnSync('npm', ['run', '--silent', 'bench', '--', '--compare', lastTag], { stdio: 'inherit' })
  if (status !== 0) {
    stop(
      `slower than ${lastTag}, or not comparable; see above. Repeat it on an idle machine; --help says how to skip it`,
    )
  }
}

function setVersion(file, place, version) {
  const text = readFileSync(file, 'utf8')
  if (text.search(place) < 0)
    throw new Error(`${file} does not name the version where scripts/release.mjs looks for it`)
  writeFileSync(file, text.replace(place, version))
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

function stop(reason) {
  console.error(`release: ${reason}`)
  process.exit(1)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) release(process.argv.slice(2))

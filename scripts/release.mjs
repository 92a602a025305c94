// Makes a release: sets the version in every file that names it, commits that, and tags the commit.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `node scripts/release.mjs VERSION [--skip-bench]

Sets VERSION, such as 0.3.0, in every file that names it, commits that, and tags the commit.

Refuses a tree with changes, a version that has a tag, a CHANGELOG.md without a section for it, and a
rate that is more than 5 % below that of the last release: npm run bench -- --compare LAST_TAG, which
takes about 12 minutes and wants an idle machine.

  --skip-bench  does not compare, for example because it was done on another machine`

const NUMBERS = String.raw`\d+\.\d+\.\d+`

// Where each file names the version.
export const PLACES = [
  ['package.json', /(?<=^ {2}"version": ")[^"]+/gm],
  ['package-lock.json', /(?<="name": "@heliograph\/server",\n +"version": ")[^"]+/g],
  ['openapi.json', /(?<=^ {4}"version": ")[^"]+/gm],
  ['clients/python/pyproject.toml', /(?<=^version = ")[^"]+/gm],
  ['console/src/first-run/programs.ts', new RegExp(`(?<=heliograph@v)${NUMBERS}`, 'g')],
  ['docs/clients.md', new RegExp(`(?<=heliograph-|heliograph@v)${NUMBERS}`, 'g')],
  ['docs/install.md', new RegExp(`(?<=heliograph-server-)${NUMBERS}`, 'g')],
]

function release(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, 'skip-bench': { type: 'boolean' } },
  })
  if (values.help) return console.log(HELP)
  const [version] = positionals
  if (!new RegExp(`^${NUMBERS}$`).test(version ?? '')) stop('give the version, such as 0.3.0')
  const tag = `v${version}`
  if (git('status', '--porcelain') !== '') stop('the tree has changes; commit them first')
  if (git('tag', '--list', tag) !== '') stop(`there is a tag ${tag} already`)
  requireChanges(version)
  if (!values['skip-bench']) requireSpeed()
  for (const [file, place] of PLACES) setVersion(file, place, version)
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', '--message', `Heliograph ${version}`, tag)
  console.log(`${tag} is tagged. Push it with: git push --follow-tags`)
}

function requireChanges(version) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1)
  if (sections.some((section) => section.startsWith('Unreleased'))) {
    stop('CHANGELOG.md has a section "Unreleased"; give it the version and the date')
  }
  const heading = new RegExp(String.raw`^${version.replaceAll('.', '\\.')} \(\d{4}-\d{2}-\d{2}\)\n\s*\S`)
  if (!sections.some((section) => heading.test(section))) {
    stop(`CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)" with changes`)
  }
}

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
  if (text.search(place) < 0) stop(`${file} does not name the version where scripts/release.mjs looks for it`)
  writeFileSync(file, text.replace(place, version))
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

function stop(reason) {
  console.error(`release: ${reason}`)
  process.exit(1)
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) release(process.argv.slice(2))

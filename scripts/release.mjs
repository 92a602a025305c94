// Makes a release: sets the version in every file that names it, commits that, and tags the commit.
//
//   node scripts/release.mjs 0.3.0
//
// Refuses a tree with changes, a version that has a tag, and a CHANGELOG.md without a section for it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

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

function release(version) {
  if (!new RegExp(`^${NUMBERS}$`).test(version ?? '')) stop('give the version, such as 0.3.0')
  const tag = `v${version}`
  if (git('status', '--porcelain') !== '') stop('the tree has changes; commit them first')
  if (git('tag', '--list', tag) !== '') stop(`there is a tag ${tag} already`)
  requireChanges(version)
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

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) release(process.argv[2])

// The pictures of the console in README and docs: what each shows, and whether that has changed since it was taken.
// docs/images/taken.json has the version and the sources of that day.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'

const TAKEN = 'docs/images/taken.json'
const FRAME = ['console/src/shell', 'console/src/styles/tokens.css', 'console/src/styles/shell.css']
const LIST = [...FRAME, 'console/src/inbox', 'console/src/styles/rows.css']
const CARDS = [...FRAME, 'console/src/styles/card-shapes.css']

// `source`: the picture that a nightly test takes. Those without have a script of their own.
export const PAGE_PICTURES = {
  'inbox.png': { source: 'notification-1440-light.png', shows: LIST },
  'phone.png': { source: 'inbox-390-dark.png', shows: LIST },
  'widgets.png': { source: 'cards-widgets-1440-light.png', shows: [...CARDS, 'console/src/cards/widget'] },
  'activities.png': { source: 'cards-live-1440-dark.png', shows: [...CARDS, 'console/src/cards/activity'] },
  'ask.png': { shows: LIST },
}

export function recordTaken(names) {
  const taken = readTaken()
  for (const name of names) taken[name] = { version: currentVersion(), sources: sourcesOf(name) }
  writeFileSync(TAKEN, `${JSON.stringify(taken, null, 2)}\n`)
}

// The pictures of what has changed, taken before the last release. `releases`: the newest first.
export function outdatedPictures(releases, taken = readTaken()) {
  return Object.keys(PAGE_PICTURES).filter((name) => {
    const { version, sources } = taken[name] ?? {}
    return sources !== sourcesOf(name) && !releases.slice(0, 2).includes(version)
  })
}

export const releasesIn = (changelog) => [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version)

const readTaken = () => JSON.parse(readFileSync(TAKEN, 'utf8'))
const currentVersion = () => JSON.parse(readFileSync('package.json', 'utf8')).version

function sourcesOf(name) {
  const hash = createHash('sha256')
  for (const path of PAGE_PICTURES[name].shows.flatMap(filesIn)) hash.update(`${path}\n`).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(`${path}/${name}`))
    : [path]

// Sonarr, Radarr and their relatives.
import { entryOf, joined, lines, listOf, type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookReport, Level } from '../message.ts'

const LEVELS: Record<string, Level> = { Grab: 'passive', HealthRestored: 'passive', Test: 'passive' }

export function fromServarr({ json }: HookDocument): HookReport {
  const event = membersOf(json)
  const type = textOf(event.eventType)
  if (type === '') return undefined
  const instance = textOf(event.instanceName) || 'Servarr'
  const isHealth = type === 'Health' || type === 'HealthRestored'
  const [work, body] = [workTitle(event), isHealth ? textOf(event.message) : bodyOf(event)]
  return {
    title: joined(' – ', `${instance}: ${type}`, body !== '' && work),
    body: body || work,
    level: type === 'Health' ? healthLevel(textOf(event.level)) : (entryOf(LEVELS, type) ?? 'active'),
    severity: textOf(event.level) || type,
    ...(isHealth && {
      state: type === 'Health' ? 'firing' : 'resolved',
      collapse: `health:${textOf(event.type)}`,
    }),
    url: textOf(event.wikiUrl) || workUrl(event),
    thread: instance,
  }
}

const healthLevel = (level: string): Level => (level === 'error' ? 'time-sensitive' : 'active')

const workTitle = ({ series, movie, artist, author }: Members): string =>
  textOf(membersOf(series).title) ||
  textOf(membersOf(movie).title) ||
  textOf(membersOf(artist).name) ||
  textOf(membersOf(author).name)

function bodyOf(event: Members): string {
  const release = membersOf(event.release)
  const file = membersOf(event.episodeFile ?? event.movieFile)
  const episodes = listOf(event.episodes)
    .slice(0, 10)
    .map((episode) => episodeLine(membersOf(episode)))
  const download = membersOf(event.downloadInfo)
  const quality = textOf(release.quality) || textOf(file.quality) || textOf(download.quality)
  return lines(
    ...episodes,
    joined(' · ', quality, textOf(release.releaseTitle) || textOf(file.relativePath) || textOf(download.title)),
    ...listOf(event.downloadStatusMessages).slice(0, 10).map(membersOf).map(statusLine),
    textOf(event.message),
  )
}

// Why a download needs a person.
const statusLine = ({ title, messages }: Members): string =>
  joined(': ', textOf(title), joined(', ', ...listOf(messages).slice(0, 10).map(textOf)))

const twoDigits = (number: unknown) => textOf(number).padStart(2, '0')

const episodeLine = ({ seasonNumber, episodeNumber, title }: Members): string =>
  joined(' ', `S${twoDigits(seasonNumber)}E${twoDigits(episodeNumber)}`, textOf(title))

function workUrl({ applicationUrl, series, movie }: Members): string {
  const base = textOf(applicationUrl).replace(/\/$/, '')
  const [slug, tmdbId] = [textOf(membersOf(series).titleSlug), textOf(membersOf(movie).tmdbId)]
  if (base && slug) return `${base}/series/${encodeURIComponent(slug)}`
  return base && tmdbId ? `${base}/movie/${encodeURIComponent(tmdbId)}` : base
}

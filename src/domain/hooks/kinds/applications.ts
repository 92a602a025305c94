// Programs for films, documents and pages.
import { entryOf, joined, lines, listOf, type Members, membersOf, textOf, wordsOf } from '../members.ts'
import type { HookDocument, HookReport, Level } from '../message.ts'

const JELLYFIN_LEVELS: Record<string, Level> = {
  AuthenticationFailure: 'time-sensitive',
  UserLockedOut: 'time-sensitive',
  PlaybackStart: 'passive',
  PlaybackStop: 'passive',
  SessionStart: 'passive',
  AuthenticationSuccess: 'passive',
  UserDataSaved: 'passive',
}

// The plugin Webhook of Jellyfin, with all properties.
export function fromJellyfin({ json }: HookDocument): HookReport {
  const event = membersOf(json)
  const [type, server] = [textOf(event.NotificationType), textOf(event.ServerName)]
  if (type === '') return undefined
  // Every few seconds while something plays.
  if (type === 'PlaybackProgress') return { dropped: type }
  const user = textOf(event.NotificationUsername) || textOf(event.Username)
  const task = textOf(event.TaskName)
  const subject = itemName(event) || task || textOf(event.PluginName) || user
  const status = textOf(event.ResultStatus)
  const hasFailed = status === 'Failed'
  const itemId = textOf(event.ItemId)
  return {
    title: joined(': ', wordsOf(type), subject),
    body: lines(
      joined(' · ', user !== subject && user, textOf(event.DeviceName), textOf(event.ClientName), server),
      status,
      textOf(event.ResultErrorMessage) || textOf(event.ExceptionMessage),
      type === 'ItemAdded' && textOf(event.Overview),
    ),
    level: hasFailed ? 'time-sensitive' : status ? 'passive' : (entryOf(JELLYFIN_LEVELS, type) ?? 'active'),
    severity: status || type,
    ...(task && status && { state: hasFailed ? 'firing' : 'resolved', collapse: `jellyfin:${task}` }),
    url: itemId && `${textOf(event.ServerUrl).replace(/\/$/, '')}/web/#/details?id=${encodeURIComponent(itemId)}`,
    thread: `jellyfin:${server}`,
  }
}

// "Night Shift S02E04 Fog", or the name and the year of a film.
function itemName({ Name, SeriesName, SeasonNumber, EpisodeNumber, Year }: Members): string {
  const [name, series, year] = [textOf(Name), textOf(SeriesName), textOf(Year)]
  if (series === '') return joined(' ', name, year && `(${year})`)
  const [season, episode] = [SeasonNumber, EpisodeNumber].map((number) => textOf(number).padStart(2, '0'))
  return joined(' ', series, textOf(EpisodeNumber) && `S${season}E${episode}`, name)
}

// Overseerr, Jellyseerr and Seerr, with their default payload.
export function fromOverseerr({ json }: HookDocument): HookReport {
  const { notification_type, event, subject, message, image, ...more } = membersOf(json)
  const type = textOf(notification_type)
  if (type === '') return undefined
  const [media, request, issue, comment] = [more.media, more.request, more.issue, more.comment].map(membersOf)
  const { issue_id, reportedBy_username } = issue as Members
  const about = textOf(issue_id) ? `issue:${textOf(issue_id)}` : joined(':', ...mediaKey(media as Members))
  const [requestedBy, reportedBy] = [textOf(request?.requestedBy_username), textOf(reportedBy_username)]
  const commentedBy = textOf(comment?.commentedBy_username)
  return {
    title: joined(': ', textOf(event) || wordsOf(type.toLowerCase()), textOf(subject)),
    body: lines(
      textOf(comment?.comment_message) && joined(': ', commentedBy, textOf(comment?.comment_message)),
      textOf(message),
      requestedBy && `Requested by ${requestedBy}`,
      reportedBy && `Reported by ${reportedBy}`,
      ...listOf(more.extra)
        .slice(0, 10)
        .map(membersOf)
        .map(({ name, value }) => `${textOf(name)}: ${textOf(value)}`),
    ),
    level: type === 'MEDIA_FAILED' ? 'time-sensitive' : 'active',
    severity: type,
    state: type === 'ISSUE_RESOLVED' ? 'resolved' : /^ISSUE_(?:CREATED|REOPENED)$/.test(type) ? 'firing' : undefined,
    image: textOf(image),
    thread: about && `overseerr:${about}`,
    collapse: about && type !== 'ISSUE_COMMENT' ? `overseerr:${about}` : undefined,
  }
}

const mediaKey = ({ media_type, tmdbId }: Members): string[] =>
  textOf(tmdbId) ? [textOf(media_type) || 'media', textOf(tmdbId)] : []

const PAPERLESS_EVENTS: Record<string, string> = {
  added: 'Document added',
  updated: 'Document updated',
  consumption_started: 'Document is being read',
}

// A workflow of Paperless-ngx sends what it says; the names are those of its placeholders.
export function fromPaperless({ json }: HookDocument): HookReport {
  const { event, doc_id, title, doc_title, correspondent, document_type, tags, doc_url, filename } = membersOf(json)
  const name = textOf(title) || textOf(doc_title) || textOf(filename)
  if (name === '') return undefined
  const kind = textOf(event) || 'added'
  return {
    title: joined(': ', entryOf(PAPERLESS_EVENTS, kind) ?? wordsOf(kind), name),
    body: lines(
      joined(' · ', textOf(correspondent), textOf(document_type)),
      textOf(tags) && `Tags: ${textOf(tags)}`,
      textOf(filename) !== name && textOf(filename),
    ),
    level: kind === 'consumption_started' ? 'passive' : 'active',
    severity: kind,
    url: textOf(doc_url),
    collapse: textOf(doc_id) && `paperless:${textOf(doc_id)}`,
  }
}

// changedetection.io sends what its body says; the names are those of its placeholders.
export function fromChangedetection({ json }: HookDocument): HookReport {
  const members = membersOf(json)
  const page = textOf(members.url) || textOf(members.watch_url)
  const name = textOf(members.title) || textOf(members.watch_title) || page
  if (name === '') return undefined
  return {
    title: `${name} changed`,
    body: lines(textOf(members.triggered_text) || textOf(members.diff), page),
    level: 'active',
    url: textOf(members.diff_url) || page,
    thread: joined(':', 'changedetection', textOf(members.tag) || page),
    actions: [{ id: 'page', title: 'Page', url: page }],
  }
}

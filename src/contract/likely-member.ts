// The member that a client probably means by a name that the endpoint does not know: another spelling of a known name, or
// the word that another service uses for it.

// Words of ntfy, Gotify, Pushover, Slack and Telegram.
const FOREIGN_WORDS: Record<string, string> = {
  message: 'body',
  msg: 'body',
  text: 'body',
  content: 'body',
  description: 'body',
  priority: 'level',
  severity: 'level',
  click: 'url',
  link: 'url',
  buttons: 'actions',
  group: 'thread_id',
  thread: 'thread_id',
  picture: 'media',
  image: 'media',
  attach: 'media',
}

export function likelyMember(name: string, known: string[]): string | undefined {
  const foreign = Object.hasOwn(FOREIGN_WORDS, name) ? FOREIGN_WORDS[name] : undefined
  const letters = lettersOf(name)
  return known.find((one) => one === foreign) ?? known.find((one) => lettersOf(one) === letters)
}

// The same for threadId, thread-ids and thread_id.
const lettersOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

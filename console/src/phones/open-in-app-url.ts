// The address of the page that opens the ntfy app, subscribed. The password of the app is in the fragment, which browsers do not
// send.

// `link`: of the app. Its host is the one by which the phone reaches this server.
export function openInAppUrl(link: string): string {
  const { host, pathname, searchParams } = new URL(link)
  const scheme = searchParams.get('secure') === 'false' ? 'http' : 'https'
  return `${scheme}://${host}/app/#ntfy=${pathname.slice(1)}`
}

// The link for this host, and nothing else that somebody puts into the address.
export function linkToOpen({ hash, host, protocol }: Pick<Location, 'hash' | 'host' | 'protocol'>): string | undefined {
  const password = /^#ntfy=([a-z2-9]{4}(?:-[a-z2-9]{4}){3})$/.exec(hash)?.[1]
  return password && `ntfy://${host}/${password}?display=Heliograph${protocol === 'http:' ? '&secure=false' : ''}`
}

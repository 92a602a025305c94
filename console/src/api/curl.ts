// A request as a curl command for a shell.

export function curlCommand(url: string, headers: Record<string, string>, body: object): string {
  const all = Object.entries({ 'Content-Type': 'application/json', ...headers })
  const flags = all.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return [`curl ${url}`, ...flags, `-d ${quoted(JSON.stringify(body))}`].join(' \\\n  ')
}

// Inside single quotes only the single quote must be escaped.
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

// Resolves host names that users choose. `dns.lookup` blocks a thread of libuv's pool per name, so a few names whose DNS
// servers never answer would block all others; c-ares uses sockets, so a slow name delays no other. c-ares does not read
// the hosts file and the search domains, so this file does.
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

export type HostNameOptions = {
  hostsFile?: string
  resolvFile?: string
  // Used instead of the DNS servers of the system.
  servers?: string[]
  // For all queries of one name.
  timeoutMs?: number
}

const TIMEOUT_MS = 2500
// The timeout of the first query; c-ares doubles it for each retry.
const QUERY_MS = 800

export function createResolve(options: HostNameOptions = {}): Resolve {
  const hosts = rereadOnChange(options.hostsFile ?? '/etc/hosts', parseHosts)
  const search = rereadOnChange(options.resolvFile ?? '/etc/resolv.conf', parseSearch)
  // Concurrent requests for the same host share one look-up.
  const underWay = new Map<string, Promise<LookupAddress[]>>()

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = hosts()?.get(name) ?? loopbackIfLocalhost(name)
    if (known) return known
    const asked = underWay.get(name) ?? ask(candidates(hostname, search()), options)
    underWay.set(name, asked)
    return asked.finally(() => underWay.delete(name))
  }
}

// Each name has a resolver of its own: it can be canceled alone, and uses the current settings of the system.
async function ask(names: string[], { servers, timeoutMs = TIMEOUT_MS }: HostNameOptions): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: Math.min(QUERY_MS, timeoutMs), tries: 2 })
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), timeoutMs)
  try {
    for (const name of names) {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      const found = [...addressesOf(answers[0], 4), ...addressesOf(answers[1], 6)]
      if (found.length > 0) return found
      const failure = answers.find((answer) => answer.status === 'rejected' && !isNoAddress(answer.reason))
      if (failure?.status === 'rejected') throw failure.reason
    }
    return []
  } finally {
    clearTimeout(timer)
  }
}

const addressesOf = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

const isNoAddress = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')

type Search = { domains: string[]; ndots: number }

// c-ares takes every name as absolute. Names with few dots are tried in the search domains too, as container networks need.
function candidates(hostname: string, search: Search | undefined): string[] {
  const dots = hostname.split('.').length - 1
  if (!search || hostname.endsWith('.') || dots >= search.ndots) return [hostname]
  return [hostname, ...search.domains.map((domain) => `${hostname}.${domain}`)]
}

// RFC 6761: these names always resolve to loopback.
function loopbackIfLocalhost(name: string): LookupAddress[] | undefined {
  if (name !== 'localhost' && !name.endsWith('.localhost')) return undefined
  return [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }])
    }
  }
  return hosts
}

function parseSearch(text: string): Search {
  const search: Search = { domains: [], ndots: 1 }
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.trim().split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') search.domains = words
    const ndots = keyword === 'options' && words.find((word) => /^ndots:\d+$/.test(word))
    if (ndots) search.ndots = Number(ndots.slice('ndots:'.length))
  }
  return search
}

// Reads synchronously: asynchronous `fs` would wait for the thread pool. Undefined if the file cannot be read.
function rereadOnChange<Parsed>(file: string, parse: (text: string) => Parsed): () => Parsed | undefined {
  let parsed: Parsed | undefined
  let readAt = 0
  return () => {
    try {
      const { mtimeMs } = statSync(file)
      if (mtimeMs !== readAt) parsed = parse(readFileSync(file, 'utf8'))
      readAt = mtimeMs
      return parsed
    } catch {
      return undefined
    }
  }
}

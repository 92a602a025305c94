// The names that a shell completes while a person types: profiles of this machine, slugs of the server. Failures print nothing.
import { readProfiles } from '../../runtime/client-settings.ts'
import { loadClientConfig, profilesFile } from '../../runtime/config.ts'
import { request } from './http.ts'

export type Names = 'profiles' | keyof typeof PATHS

const PATHS = {
  widgets: '/widgets',
  activities: '/activities?limit=100',
  heartbeats: '/heartbeats',
  escalations: '/escalations',
}
// A person who types waits no longer than this for names.
const TIMEOUT_MS = 1500
// Shells expand the words that they complete: a "$(…)" from a server would be run.
const SAFE = /^[\w.@-]+$/

export async function printNames(names: string): Promise<void> {
  const found = await (names === 'profiles' ? profileNames() : slugsAt(PATHS[names as keyof typeof PATHS])).catch(
    () => [],
  )
  for (const name of found.filter((one) => SAFE.test(one))) console.log(name)
}

async function profileNames(): Promise<string[]> {
  const file = profilesFile()
  return file ? Object.keys(readProfiles(file)) : []
}

async function slugsAt(path: string | undefined): Promise<string[]> {
  const { url, token } = loadClientConfig()
  if (!path || !token) return []
  const headers = { authorization: `Bearer ${token.reveal()}` }
  const { status, text } = await request(url + path, { method: 'GET', headers, timeoutMs: TIMEOUT_MS })
  const { items }: { items: { slug: string }[] } = status === 200 ? JSON.parse(text) : { items: [] }
  return items.map(({ slug }) => slug)
}

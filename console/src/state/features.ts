// What this server can do: a console may be newer than the server it talks to, and then hides what is not there.
import { signal } from '@preact/signals'
import { ApiError, api } from '../api/client.ts'

const PROBES = {
  activities: '/activities?limit=1',
  emails: '/emails/recipients',
  demo: '/demo/run',
} as const

export type Feature = keyof typeof PROBES

export const features = signal<ReadonlySet<Feature>>(new Set())

export async function findFeatures(): Promise<void> {
  const names = Object.keys(PROBES) as Feature[]
  const found = await Promise.all(names.map((name) => exists(PROBES[name])))
  features.value = new Set(names.filter((_, index) => found[index]))
}

async function exists(path: string): Promise<boolean> {
  try {
    await api.get(path)
    return true
  } catch (error) {
    return !(error instanceof ApiError && error.status === 404)
  }
}

// How this server was started, for the commands that people are told to run.
import { existsSync } from 'node:fs'
import { isStartedBySystemd } from './config.ts'

export type StartedAs = 'command' | 'checkout' | 'container' | 'systemd'

export function startedAs(): StartedAs {
  if (CONTAINER_MARKS.some((path) => existsSync(path))) return 'container'
  if (isStartedBySystemd()) return 'systemd'
  return existsSync(CHECKOUT_MARK) ? 'checkout' : 'command'
}

// Docker and Podman make these files.
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv']
// The same relative path from src/ and from dist/. The package has no sources.
const CHECKOUT_MARK = new URL('../../src', import.meta.url)

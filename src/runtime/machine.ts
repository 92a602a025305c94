// How this server was started, for the commands that people are told to run.
import { existsSync } from 'node:fs'
import { isStartedBySystemd } from './config.ts'

export type StartedAs = 'command' | 'checkout' | 'container' | 'systemd'

export function startedAs(): StartedAs {
  if (isStartedBySystemd()) return 'systemd'
  // Also in a container of a developer; the image has no sources.
  if (existsSync(CHECKOUT_MARK)) return 'checkout'
  return CONTAINER_MARKS.some((path) => existsSync(path)) ? 'container' : 'command'
}

// Docker and Podman make these files.
const CONTAINER_MARKS = ['/.dockerenv', '/run/.containerenv']
// The same relative path from src/ and from dist/.
const CHECKOUT_MARK = new URL('../../src', import.meta.url)

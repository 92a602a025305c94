// Reads the Dockerfile and .dockerignore, as far as ours use their syntax.
import { readFileSync } from 'node:fs'

// A tag that names a version: not "latest", and not the implied one.
export const PINNED_IMAGE = /^[\w./-]+:(?!latest$)[\w.-]+$/

export type Instruction = { name: string; value: string }
export type Stage = { image: string; name: string; instructions: Instruction[] }

export function readDockerfile(): Stage[] {
  const instructions = readFileSync('Dockerfile', 'utf8')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(toInstruction)
  const stages: Stage[] = []
  const defaults = new Map<string, string>()
  for (const { name, value } of instructions) {
    if (name === 'FROM') stages.push(toStage(value, defaults))
    else if (stages.length > 0) stages.at(-1)?.instructions.push({ name, value })
    else defaults.set(...(value.split('=', 2) as [string, string]))
  }
  return stages
}

// Files and folders at the top of the checkout that reach the build. Ours excludes everything and names the exceptions; files
// with passwords are excluded again.
export function buildContext(): string[] {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const exceptions = lines.slice(1, -1)
  if (lines[0] !== '*' || lines.at(-1) !== '**/.env' || exceptions.some((line) => !line.startsWith('!'))) {
    throw new Error('.dockerignore is not "*", exceptions and "**/.env"')
  }
  return exceptions.map((line) => line.slice(1))
}

function toInstruction(line: string): Instruction {
  const [name = '', value = ''] = line.split(/ (.*)/s)
  return { name, value }
}

function toStage(value: string, defaults: Map<string, string>): Stage {
  const [image = '', , name = ''] = value.split(' ')
  return { image: image.replace(/\$\{(\w+)\}/, (_, variable) => defaults.get(variable) ?? ''), name, instructions: [] }
}

// The types of man-page.mjs, for its test.
import type { Command } from 'commander'

export function manPage(program: Command, topics: Record<string, string>): string

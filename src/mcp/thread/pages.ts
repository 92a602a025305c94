// The documentation pages and the catalogue of errors, which clients read as resources.
import { existsSync, readFileSync } from 'node:fs'

export type Page = { uri: string; name: string; title: string; text: string }

// `npm run build` writes the file. The path is the same from src/mcp/thread and from dist/mcp/thread.
const FILE = new URL('../../../dist/docs/pages.json', import.meta.url)

// Empty before the first build.
export const PAGES: Page[] = existsSync(FILE)
  ? JSON.parse(readFileSync(FILE, 'utf8')).map((page: Omit<Page, 'uri'>) => ({ uri: `docs://${page.name}`, ...page }))
  : []

export const findPage = (uri: string): Page | undefined => PAGES.find((page) => page.uri === uri)

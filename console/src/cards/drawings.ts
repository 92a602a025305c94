// The drawings of icons. Icons that are shown in the same moment are loaded by one request, and stay in the document, where
// every <use> finds them.

// The names that the server accepts; any other name shows its placeholder icon.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/
// The server's limit of a request.
const MOST_NAMES = 100
const RETRY_MS = 5000

const known = new Set<string>()
let wanted: string[] = []

export const drawingId = (name: string): string => `drawing-${fileName(name)}`

const fileName = (name: string): string => (NAME.test(name) ? name : 'unknown')

export function wantDrawing(icon: string): void {
  const name = fileName(icon)
  if (known.has(name)) return
  known.add(name)
  if (wanted.push(name) === 1) queueMicrotask(loadWanted)
}

function loadWanted(): void {
  const names = wanted.sort()
  wanted = []
  for (let start = 0; start < names.length; start += MOST_NAMES) void load(names.slice(start, start + MOST_NAMES))
}

async function load(names: string[]): Promise<void> {
  try {
    const response = await fetch(`/icons?names=${names.map(encodeURIComponent).join(',')}`)
    if (!response.ok) throw new Error(String(response.status))
    addToDocument(await response.text())
  } catch {
    setTimeout(() => load(names), RETRY_MS)
  }
}

function addToDocument(sprite: string): void {
  const svg = document.importNode(new DOMParser().parseFromString(sprite, 'image/svg+xml').documentElement, true)
  for (const symbol of svg.querySelectorAll('symbol')) symbol.id = `drawing-${symbol.id}`
  svg.classList.add('drawings')
  svg.setAttribute('aria-hidden', 'true')
  document.body.append(svg)
}

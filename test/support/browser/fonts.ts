// The fonts that the console is shown in by tests. They come from packages, so that no test depends on what a machine has:
// one that is tall, as Debian's desktops have it, and one that is wide.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'

const require = createRequire(import.meta.url)

const FONTS = {
  'Noto Sans': {
    400: require.resolve('@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2'),
    600: require.resolve('@fontsource/noto-sans/files/noto-sans-latin-600-normal.woff2'),
    700: require.resolve('@fontsource/noto-sans/files/noto-sans-latin-700-normal.woff2'),
  },
  'DejaVu Sans': {
    400: require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2'),
    700: require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2'),
  },
}
export type FontName = keyof typeof FONTS
export const FONT_NAMES = Object.keys(FONTS) as FontName[]

const FAMILY = 'Brought by the test'

// Every page of this profile uses the font. Neither way is subject to the policy that our pages have for styles and
// fonts: bytes that a script brings are not fetched, and a constructed sheet is not inline.
export async function useFont(context: BrowserContext, name: FontName): Promise<void> {
  const faces = Object.entries(FONTS[name]).map(([weight, file]) => ({
    weight,
    base64: readFileSync(file).toString('base64'),
  }))
  await context.addInitScript(`
    for (const { weight, base64 } of ${JSON.stringify(faces)}) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      const face = new FontFace('${FAMILY}', bytes, { weight })
      document.fonts.add(face)
      face.load()
    }
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':root { --font: "${FAMILY}", sans-serif !important }')
    document.adoptedStyleSheets.push(sheet)`)
}

// Resolves when the page is drawn in the font; false if it is not.
export async function fontInUse(page: Page): Promise<boolean> {
  return page.evaluate(`document.fonts.ready.then(() =>
    getComputedStyle(document.body).fontFamily.includes('${FAMILY}') &&
    [...document.fonts].every(({ status }) => status === 'loaded'))`)
}

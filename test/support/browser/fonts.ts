// Fonts for the console in tests. They come from npm packages, so that no test depends on installed fonts: a tall one,
// common on Debian desktops, and a wide one.
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

// Sets the font for every page of this profile. The content security policy of our pages restricts neither way: a font
// made of bytes is not fetched, and a constructed style sheet is not inline.
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

// Resolves when fonts are loaded: true if the page is drawn in the font.
export async function fontInUse(page: Page): Promise<boolean> {
  return page.evaluate(`document.fonts.ready.then(() =>
    getComputedStyle(document.body).fontFamily.includes('${FAMILY}') &&
    [...document.fonts].every(({ status }) => status === 'loaded'))`)
}

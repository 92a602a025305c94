// The server's pictures beside the same cards in Chromium, with the same fonts: how many pixels differ.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { ACTIVITY_EXAMPLES } from '../../console/src/builder/activity-examples.ts'
import { WIDGET_EXAMPLES } from '../../console/src/builder/widget-examples.ts'
import { drawIn, pageOf } from '../../console/src/pictures/draw.tsx'
import { iconNamesOf, type PictureTask, type Shown } from '../../src/domain/screens/picture.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { drawingOfName } from '../../src/runtime/icon-set.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createPictures } from '../../src/runtime/pictures/pictures.ts'
import { useBrowser } from '../support/browser/browser.ts'
import { nightlyTest } from '../support/nightly.ts'
import { differingPixels } from '../support/screens/difference.ts'
import { readPng } from '../support/screens/png.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')
const SCALE = 2
const browser = useBrowser()
const pictures = createPictures(createLog('silent', 'json'), systemClock, { processes: 1, cacheMb: 8 })
afterAll(() => pictures.close())

type Card = { shown: Shown; width: number; height?: number }

async function taskOf({ shown, width, height }: Card, theme: 'light' | 'dark'): Promise<PictureTask> {
  const content = 'widget' in shown ? shown.widget.content : 'activity' in shown ? shown.activity.content : {}
  const names = iconNamesOf(content as never)
  const icons = Object.fromEntries(await Promise.all(names.map(async (n) => [n, (await drawingOfName(n)) ?? ''])))
  return {
    ...{ shown, width, height, icons, theme, format: 'png', scale: SCALE, background: 'card', corners: 'card' },
    ...{ layer: 'all', hasHole: false, colors: 'full', dither: 'auto', rotate: 0, lang: 'en', tz: 'UTC', now: NOW },
    title: '',
  } as PictureTask
}

// Every subset that pictures have, as the process names them.
function faces(): string {
  const { resolve } = createRequire(import.meta.url)
  const face = (family: string, weight: string, file: string) =>
    `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff;base64,${readFileSync(file, 'base64')})}`
  const packaged = ['noto-sans', 'noto-sans-mono'].flatMap((name) => {
    const folder = path.dirname(resolve(`@fontsource/${name}/files/${name}-latin-400-normal.woff`))
    const family = name === 'noto-sans' ? 'Noto Sans' : 'Noto Sans Mono'
    return ['latin', 'greek', 'cyrillic', 'devanagari'].flatMap((script) =>
      ['400', '600', '700']
        .map((weight) => [weight, path.join(folder, `${name}-${script}-${weight}-normal.woff`)] as const)
        .filter(([weight]) => name === 'noto-sans' || (weight === '400' && script !== 'devanagari'))
        .map(([weight, file]) => face(script === 'latin' ? family : `${family} ${script}`, weight, file)),
    )
  })
  const copied = readdirSync('dist/pictures/fonts')
    .filter((file) => file.endsWith('.woff'))
    .map((file) => {
      const [, name = '', weight = ''] = /^(.*)-(\d+)\.woff$/.exec(file) ?? []
      const only = ['arabic', 'hebrew', 'thai'].some((script) => name.endsWith(script))
      return face(name, only ? weight : '100 900', path.join('dist/pictures/fonts', file))
    })
  return [...packaged, ...copied].join('')
}

const FAMILY = `"Noto Sans","Noto Sans greek","Noto Sans cyrillic","Noto Sans devanagari",noto-sans-arabic,noto-sans-hebrew,noto-sans-thai,noto-emoji,noto-sans-math,noto-sans-symbols-2`

// On Linux, Chromium moves the baseline up by a pixel if the descent of the font is rounded down, lest letters be cut. Elsewhere it does
// not. Of texts on one baseline, the largest decides.
const LOWERED = `
    const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    const sizeOf = (one) => (hasText(one) ? parseFloat(getComputedStyle(one).fontSize) : 0)
    const largest = (one) => {
      const { display, alignItems } = getComputedStyle(one.parentElement)
      const line = display.endsWith('flex') && alignItems === 'baseline' ? [one.parentElement, ...one.parentElement.children] : [one]
      return Math.max(...line.map(sizeOf))
    }
    const texts = [...document.querySelectorAll('#box *')].filter((one) => hasText(one) && getComputedStyle(one).display !== 'inline')
    const moved = texts.filter((one) => Math.round(0.293 * largest(one)) < 0.293 * largest(one))
    for (const node of moved.flatMap((one) => [...one.childNodes].filter((child) => child.nodeType === 3))) {
      const lowered = document.createElement('x-text')
      lowered.style = 'position:relative;top:1px'
      node.replaceWith(lowered)
      lowered.append(node)
    }`

async function inChromium(page: Page, task: PictureTask): Promise<Buffer> {
  const { html, css } = pageOf(task, task.theme as 'light')
  const { width, height } = task
  const box = `display:flex;width:${width}px;${height ? `height:${height}px;` : ''}font-family:${FAMILY}`
  await page.evaluate(
    `document.getElementById('sheet').textContent = ${JSON.stringify(`${css}:root{--font:${FAMILY}}`)}
    document.getElementById('box').style = ${JSON.stringify(box)}
    document.getElementById('box').innerHTML = ${JSON.stringify(html)}
    for (const one of document.querySelectorAll('#box *'))
      if ([...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) one.dir = 'auto'
    ${LOWERED}`,
  )
  return page.locator('#box').screenshot({ omitBackground: true })
}

type Boxes = Record<string, number[]>
type TextBox = { name: string; box: number[] }

// Left, top, width and height of each element, by its class and its number among those of the class.
async function boxesInPicture(task: PictureTask): Promise<Boxes> {
  const boxes: Boxes = {}
  const counts: Record<string, number> = {}
  await drawIn(task, 'light', ({ left, top, width, height, type, props }) => {
    const name = String(props.className || type).trim()
    counts[name] = (counts[name] ?? 0) + 1
    boxes[`${name} ${counts[name]}`] = [left, top, width, height]
  })
  return boxes
}

// Of elements with text of their own, but for those that are moved after the layout (flow) or are a part of a line. The ends of a large
// gauge are left out: where its width decides, a browser does not keep its proportions.
const TEXT_BOXES = `(() => {
    const counts = {}
    const { left, top } = document.getElementById('box').getBoundingClientRect()
    return [...document.querySelectorAll('#box *')].flatMap((one) => {
      const kind = (one.getAttribute('class') || one.tagName.toLowerCase()).trim()
      counts[kind] = (counts[kind] ?? 0) + 1
      const isText = [...one.childNodes].some((node) => node.nodeType === 3 || node.tagName === 'X-TEXT')
      const isLeftOut = one.closest('.flow, .widget-large .dial-ends, x-text') || getComputedStyle(one).display === 'inline'
      const box = one.getBoundingClientRect()
      if (!isText || isLeftOut || !box.width) return []
      return [{ name: kind + ' ' + counts[kind], box: [box.left - left, box.top - top, box.width, box.height] }]
    })
  })()`

// A point, and what sides are rounded by.
const FAR = 1.1

async function farBoxes(page: Page, task: PictureTask): Promise<string[]> {
  const boxes = await boxesInPicture(task)
  const texts = (await page.evaluate(TEXT_BOXES)) as TextBox[]
  return texts
    .filter(({ name, box }) =>
      box.some((side, index) => !(Math.abs(side - (boxes[name]?.[index] ?? Number.NaN)) <= FAR)),
    )
    .map(({ name, box }) => `${name}: ${boxes[name]} and ${box}`)
}

async function compare(page: Page, card: Card, theme: 'light' | 'dark'): Promise<number> {
  const task = await taskOf(card, theme)
  const drawn = await pictures.draw('test', `${Math.random()}`, { kind: 'widget', task: async () => task })
  if (!('picture' in drawn)) throw new Error('not drawn')
  return differingPixels(readPng(drawn.picture), readPng(await inChromium(page, task)))
}

const SIZES = {
  small: [158, 158],
  medium: [338, 158],
  large: [338, 354],
  'extra-large': [715, 342],
  circular: [76, 76],
  rectangular: [172, 76],
  inline: [257, 26],
} as const
type Family = keyof typeof SIZES

const widgetCard = (name: string, content: object, family: Family, more: object = {}): Card => {
  const [width, height] = SIZES[family]
  const widget = { name, content, updated_at: new Date(NOW - 3_600_000).toISOString(), ...more }
  return { shown: { widget, family } as unknown as Shown, width, height }
}

const activityCard = (name: string, content: object, form: string): Card => {
  const [family, state] = form === 'compact' ? ['compact', 'ongoing'] : ['card', form]
  const shown = { activity: { slug: 'a', name, state, content }, family } as unknown as Shown
  return { shown, ...(family === 'card' ? { width: 344 } : { width: 230, height: 44 }) }
}

const LONG = 'Donaudampfschifffahrtsgesellschaft '.repeat(8).slice(0, 256)
const ROWS = Array.from({ length: 6 }, (_, index) => ({
  label: `${index} ${LONG}`.slice(0, 32),
  value: LONG.slice(0, 32),
}))
const LARGE = { label: LONG, subtitle: LONG, unit: LONG.slice(0, 32), stat_rows: ROWS, icon: 'bolt' }
const OWN_COLORS = { background_color: '#1E3A5F', text_color: '#FFE9B0', accent_color: '#FF5DA2' }

// What a card may look like besides its example, in the families of the home screen.
const VARIATIONS: Record<string, [content: object, more?: object]> = {
  'of long words': [LARGE],
  stale: [{}, { stale_after: 60 }],
  'in own colours': [OWN_COLORS],
}

const TEXTS = {
  'from right to left': ['آخر تحديث 12:30', 'שלום (12:30) world', 'الغسالة 🧺 im Keller'],
  emoji: ['🎉 Deploy 🚀', '👨‍👩‍👧 🇩🇪 👍🏽', 'Boiler → ✓'],
  Hindi: ['हिन्दी में नमस्ते', 'क्षत्रिय', 'कीमत 12:30'],
  Thai: ['ภาษาไทย', 'น้ำที่นี่', 'เวลา 12:30'],
  'marks and markup': [`e${'\u0301'.repeat(4)}`, '</svg><b>&amp;', 'Ж ω ł'],
}

const MOST = 0.005
// A line that fills the card begins up to half a pixel beside.
const MOST_OF_LONG_WORDS = 0.0125
const MOST_IN_MEAN = 0.002
const MOST_OF_SCRIPTS = 0.015

async function openPage(): Promise<Page> {
  const profile = await browser.newProfile()
  const context = await profile.browser()?.newContext({ deviceScaleFactor: SCALE, reducedMotion: 'reduce' })
  if (!context) throw new Error('the browser has ended')
  onTestFinished(() => context.close())
  const page = await context.newPage()
  // Without it, Chromium moves letters to whole pixels on some machines.
  const exact = '*{text-rendering:geometricPrecision}'
  await page.setContent(
    `<!doctype html><style>${faces()} body{margin:0} ul{list-style:none}${exact}</style><style id="sheet"></style><div id="box"></div>`,
  )
  await page.evaluate('Promise.all([...document.fonts].map((font) => font.load())).then(() => {})')
  return page
}

describe('the pixels of a picture', () => {
  nightlyTest('of texts in other scripts differ little from those of Chromium', async () => {
    const page = await openPage()
    for (const [what, [label = '', ...rows]] of Object.entries(TEXTS)) {
      const content = { template: 'stat_list', label, stat_rows: rows.map((row) => ({ label: row, value: '12' })) }
      const differing = await compare(page, widgetCard('W', content, 'medium'), 'light')
      expect([what, differing < MOST_OF_SCRIPTS, differing]).toEqual([what, true, differing])
    }
  })

  nightlyTest('of every template differ little from those of Chromium', { timeout: 1_200_000 }, async () => {
    const page = await openPage()
    const measured: [card: string, differing: number][] = []
    const far: string[][] = []
    const measure = async (name: string, card: Card, themes: readonly ('light' | 'dark')[]) => {
      for (const theme of themes) measured.push([`${name} ${theme}`, await compare(page, card, theme)])
      const boxes = await farBoxes(page, await taskOf(card, 'light'))
      if (boxes.length > 0) far.push([name, ...boxes])
    }
    for (const [template, example] of Object.entries(WIDGET_EXAMPLES)) {
      const { name, content } = example(NOW)
      for (const family of Object.keys(SIZES) as Family[]) {
        await measure(`${template} ${family}`, widgetCard(name, content, family), ['light', 'dark'])
      }
      for (const [what, [changed, more]] of Object.entries(VARIATIONS)) {
        for (const family of ['small', 'medium', 'large'] as const) {
          const card = widgetCard(name, { ...content, ...changed }, family, more)
          await measure(`${template} ${family} ${what}`, card, ['light'])
        }
      }
    }
    for (const [template, example] of Object.entries(ACTIVITY_EXAMPLES)) {
      const { name, content } = example(NOW)
      for (const form of ['ongoing', 'ended', 'preempted', 'compact']) {
        await measure(`${template} ${form}`, activityCard(name, content, form), ['light', 'dark'])
      }
      await measure(`${template} in own colours`, activityCard(name, { ...content, ...OWN_COLORS }, 'ongoing'), [
        'light',
      ])
      const long = { ...content, state: LONG, subtitle: LONG }
      await measure(`${template} of long words`, activityCard(LONG, long, 'ongoing'), ['light'])
    }
    const mostOf = (name: string) => (name.includes('of long words') ? MOST_OF_LONG_WORDS : MOST)
    expect(measured.filter(([name, differing]) => differing > mostOf(name))).toEqual([])
    expect(far).toEqual([])
    const mean = measured.reduce((sum, [, differing]) => sum + differing, 0) / measured.length
    expect(mean).toBeLessThan(MOST_IN_MEAN)
  })
})

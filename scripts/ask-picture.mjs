// Makes the moving picture of the README: a question asked in a shell, answered in the console on a phone, and its answer in the
// shell. Server, console and terminal are real; what they show is put side by side. Needs dist, Chromium and script(1).
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'
import { useFont } from '../test/support/browser/fonts.ts'
import { animatedPng } from './animated-png.mjs'
import { findChromium } from './browsers.mjs'
import { recordTaken } from './page-pictures.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const COMMAND = `heliograph ask "Deploy v1.2?" "All 214 checks are green." \\
    --action yes=Deploy --action no="Not now" --source CI`
// What was in the inbox before.
const EARLIER = [
  { title: 'Backup finished', body: '412 files, 3 GB', source: 'backup', source_display_name: 'Backup' },
  { title: 'Certificate expires in 14 days', body: 'Renewal runs on Sunday.', source_display_name: 'Certificates' },
]
const PHONE = { width: 390, height: 640 }
const SCALE = 1.5
// In which the command is typed.
const STEPS = 8

const STAGE = `<!doctype html><style>
  body { margin: 0; height: 560px; display: flex; align-items: center; justify-content: space-between; background: #e9ebf2 }
  #terminal { box-sizing: border-box; width: 560px; height: 200px; margin: 0 0 0 20px; padding: 18px; border-radius: 10px;
    background: #16181d; color: #e6e6e6; font: 14px/1.6 'DejaVu Sans Mono', monospace; white-space: pre }
  #phone { position: relative; width: 316px; margin-right: 20px; border: 6px solid #16181d; border-radius: 26px; overflow: hidden }
  #phone img { display: block; width: 100%; aspect-ratio: ${PHONE.width} / ${PHONE.height} }
  #tap { position: absolute; width: 44px; height: 44px; margin: -22px; border-radius: 50%; background: #2a4fc680 }
</style><pre id="terminal"></pre><div id="phone"><img><div id="tap"></div></div>`

const folder = mkdtempSync(join(tmpdir(), 'heliograph-picture-'))
const server = spawn(process.execPath, ['dist/main.js', 'serve', '--port', '0', '--data-dir', folder], {
  env: { ...process.env, HELIOGRAPH_LOG_LEVEL: 'silent' },
})
try {
  const browser = await chromium.launch({ executablePath: findChromium() })
  const scene = await play(browser, await started())
  const { frames, still } = await compose(browser, scene)
  await browser.close()
  writeFileSync('docs/images/ask.png', animatedPng(frames))
  writeFileSync('docs/images/ask-still.png', still)
  recordTaken(['ask.png'])
} finally {
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

// The first start prints the address, a sign-in link and a key.
async function started() {
  let printed = ''
  for await (const chunk of server.stdout.setEncoding('utf8')) {
    printed += chunk
    const [url, link, key] = [/listening on (\S+)/, /(\S+#signin=\S+)/, /(hlk_\S+)/].map(
      (one) => one.exec(printed)?.[1],
    )
    if (url && link && key) return { url, link, key }
  }
  throw new Error(`the server has not started: ${printed}`)
}

// Asks and answers. Returns what the terminal printed, and what the phone showed before, at the question and after the answer.
async function play(browser, { url, link, key }) {
  const post = (path, body, token = key) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const message of EARLIER) await post('/notifications', message)
  const phone = await browser.newContext({ viewport: PHONE, deviceScaleFactor: SCALE, isMobile: true, hasTouch: true })
  await useFont(phone, 'Noto Sans')
  const account = await (await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${key}` } })).json()
  await phone.addInitScript((id) => localStorage.setItem('first-run-hidden', JSON.stringify([id])), account.id)
  const page = await phone.newPage()
  await page.goto(link)
  await page.getByText('Backup finished').first().waitFor()
  const before = await settledPicture(page)
  const terminal = onTerminal(url, key)
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true })
  await deploy.waitFor()
  const question = await settledPicture(page)
  const button = await deploy.boundingBox()
  await deploy.tap()
  const output = await terminal
  await page.getByText('Waiting for you').waitFor({ state: 'hidden' })
  const answered = await settledPicture(page)
  await phone.close()
  return { output, phones: { before, question, answered }, button }
}

// Once two in a row are equal: animations have ended, and fonts are there.
async function settledPicture(page) {
  let last = await page.screenshot()
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const next = await page.screenshot()
    if (next.equals(last)) return next
    last = next
  }
}

async function onTerminal(url, key) {
  const command = COMMAND.replace('heliograph', `"${process.execPath}" dist/main.js`)
  const shell = spawn('script', ['-qec', command, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: key, NO_COLOR: '1' },
  })
  return stripVTControlCharacters(await text(shell.stdout))
    .trim()
    .split(/\r?\n/)
}

async function compose(browser, { output, phones, button }) {
  const page = await browser.newPage({ viewport: { width: 940, height: 560 }, deviceScaleFactor: SCALE })
  await page.setContent(STAGE)
  await page.evaluate(
    ([images, tap, width]) => {
      const sources = Object.entries(images).map(([name, data]) => [name, `data:image/png;base64,${data}`])
      Object.assign(window, { sources: Object.fromEntries(sources) })
      const scale = document.querySelector('#phone').clientWidth / width
      const { style } = document.querySelector('#tap')
      style.left = `${(tap.x + tap.width / 2) * scale}px`
      style.top = `${(tap.y + tap.height / 2) * scale}px`
    },
    [
      Object.fromEntries(Object.entries(phones).map(([name, png]) => [name, png.toString('base64')])),
      button,
      PHONE.width,
    ],
  )
  const clips = Object.fromEntries(
    await Promise.all(
      ['#terminal', '#phone', '#tap'].map(async (part) => [part, await page.locator(part).boundingBox()]),
    ),
  )
  // `part`: where this frame differs from the one before.
  const frame = async (state, seconds, part) => {
    await page.evaluate(async ({ lines, phone, isTapped }) => {
      document.querySelector('#terminal').textContent = lines.join('\n')
      document.querySelector('#tap').hidden = !isTapped
      const image = document.querySelector('#phone img')
      image.src = window.sources[phone]
      await image.decode()
    }, state)
    const clip = part && wholePixels(clips[part])
    return { png: await page.screenshot({ clip }), seconds, x: (clip?.x ?? 0) * SCALE, y: (clip?.y ?? 0) * SCALE }
  }
  const typed = Array.from(
    { length: STEPS },
    (_, step) => `$ ${COMMAND.slice(0, Math.ceil((COMMAND.length * (step + 1)) / STEPS))}`,
  )
  const asked = [`$ ${COMMAND}`, output[0]]
  const end = { lines: [`$ ${COMMAND}`, ...output, '$ ▮'], phone: 'answered' }
  const frames = [await frame({ lines: ['$ ▮'], phone: 'before' }, 1)]
  for (const line of typed) frames.push(await frame({ lines: [`${line}▮`], phone: 'before' }, 0.25, '#terminal'))
  frames.push(await frame({ lines: asked, phone: 'before' }, 0.5, '#terminal'))
  frames.push(await frame({ lines: asked, phone: 'question' }, 2, '#phone'))
  frames.push(await frame({ lines: asked, phone: 'question', isTapped: true }, 0.6, '#tap'))
  frames.push(await frame({ lines: asked, phone: 'answered' }, 0.4, '#phone'))
  frames.push(await frame(end, 4, '#terminal'))
  return { frames, still: (await frame({ ...end, phone: 'question' }, 0)).png }
}

// A frame begins and ends at whole pixels of the picture.
function wholePixels({ x, y, width, height }) {
  const down = (value) => Math.floor(value / 2) * 2
  return { x: down(x), y: down(y), width: down(width + x - down(x)) + 2, height: down(height + y - down(y)) + 2 }
}

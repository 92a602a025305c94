// The page that brings what a screen link shows onto an iPhone: three steps, the script to copy, and what a widget will show.
import type { LinkThing } from '../../operations/screens/links.ts'
import { escapedHtml, type HtmlPage } from '../html.ts'

const SCRIPTABLE = 'https://apps.apple.com/app/id1405459188'
// Each costs two of the new pictures that a link has in an hour.
const MOST_PICTURED = 4

export type IphoneOf = { host: string; script: string; things: LinkThing[]; language: 'en' | 'de' }

export const iphonePage = ({ host, script, things, language }: IphoneOf): HtmlPage => {
  const words = WORDS[language]
  const [first] = things
  return {
    title: words.title,
    lang: language,
    script: COPY,
    hasPictures: true,
    content: `<p class="sender">${escapedHtml(host)}</p>
<h1>${words.title}</h1>
<p class="note">${words.untried}</p>
<h2>${words.get}</h2>
<p>${words.getText} <a href="${SCRIPTABLE}" rel="noreferrer noopener">${words.store}</a></p>
<h2>${words.copy}</h2>
<p>${words.copyText}</p>
<form><textarea readonly spellcheck="false" aria-label="${words.script}">${escapedHtml(script)}</textarea>
<button type="button" class="primary" data-copied="${words.copied}" data-selected="${words.selected}">${words.copyButton}</button></form>
<p class="soft">${words.secret}</p>
<h2>${words.add}</h2>
<p>${words.addText} ${first ? words.type(code(first.parameter)) : words.nothing}</p>
${things.slice(0, MOST_PICTURED).map(pictured(words)).join('\n')}
${othersOf(things.slice(MOST_PICTURED), words)}`,
  }
}

const code = (text: string) => `<code>${escapedHtml(text)}</code>`

// Relative, so that it also holds below a path of a proxy.
const pictured =
  ({ light, dark }: Words) =>
  ({ parameter, path, family, size }: LinkThing) => {
    const frame = size ? `size=${size}` : `family=${family}`
    const image = (theme: 'light' | 'dark', word: string) =>
      `<img src="${path}.png?${frame}&amp;theme=${theme}" alt="${escapedHtml(parameter)}, ${word}">`
    return `<figure class="${family === 'small' ? 'pair' : ''}"><figcaption>${code(parameter)}</figcaption>
${image('light', light)}
${image('dark', dark)}</figure>`
  }

const othersOf = (things: LinkThing[], words: Words): string =>
  things.length === 0
    ? ''
    : `<p class="soft">${words.others} ${things.map(({ parameter }) => code(parameter)).join(', ')}</p>`

// Without TLS there is no clipboard for scripts, but there is the command.
const COPY = `
const button = document.querySelector('button')
const script = document.querySelector('textarea')
const copied = async () => {
  try {
    await navigator.clipboard.writeText(script.value)
    return true
  } catch {
    script.focus()
    script.setSelectionRange(0, script.value.length)
    return document.execCommand('copy')
  }
}
button.addEventListener('click', async () => {
  button.textContent = (await copied()) ? button.dataset.copied : button.dataset.selected
})
`

const WORDS = {
  en: {
    title: 'Put on an iPhone or iPad',
    untried:
      'Tested with a stand-in of Scriptable, and not yet tried on a phone by us. Please tell us what does not work.',
    get: '1. Get Scriptable',
    getText: 'A free app that shows widgets which a script draws:',
    store: 'Scriptable in the App Store',
    copy: '2. Copy this script',
    copyText: 'Paste it into a new script of Scriptable (+, at the top right).',
    script: 'The script',
    copyButton: 'Copy the script',
    copied: 'Copied',
    selected: 'Selected: copy it by hand',
    secret:
      'The script has the address of this link: whoever has it sees what the link shows, and can do nothing else.',
    add: '3. Add the widget',
    addText: 'Add a widget of Scriptable to the home screen, hold it, choose “Edit Widget” and the script.',
    type: (example: string) => `As its parameter, type what it shows, such as ${example}:`,
    nothing: 'There is nothing in this link yet.',
    others: 'This link also has',
    light: 'light',
    dark: 'dark',
  },
  de: {
    title: 'Auf ein iPhone oder iPad bringen',
    untried:
      'Mit einem Nachbau von Scriptable geprüft und von uns noch nicht auf einem Telefon ausprobiert. Bitte sagen Sie uns, was nicht geht.',
    get: '1. Scriptable laden',
    getText: 'Eine kostenlose App, die von einem Skript gezeichnete Widgets anzeigt:',
    store: 'Scriptable im App Store',
    copy: '2. Dieses Skript kopieren',
    copyText: 'Fügen Sie es in ein neues Skript von Scriptable ein (+, oben rechts).',
    script: 'Das Skript',
    copyButton: 'Skript kopieren',
    copied: 'Kopiert',
    selected: 'Ausgewählt: bitte von Hand kopieren',
    secret:
      'Das Skript enthält die Adresse dieses Links: Wer es hat, sieht, was der Link zeigt, und kann nichts sonst.',
    add: '3. Widget hinzufügen',
    addText:
      'Fügen Sie dem Home-Bildschirm ein Widget von Scriptable hinzu, halten Sie es gedrückt und wählen Sie „Widget bearbeiten“ und das Skript.',
    type: (example: string) => `Geben Sie als Parameter ein, was es zeigt, zum Beispiel ${example}:`,
    nothing: 'In diesem Link ist noch nichts.',
    others: 'In diesem Link sind auch',
    light: 'hell',
    dark: 'dunkel',
  },
}
type Words = (typeof WORDS)['en']

// The search box: a list of sections that match, chosen with the arrow keys or a click. The index is loaded at the first use.
import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS } from '../search-options.mjs'

const SHOWN = 8
const root = document.body.dataset.root

export function startSearch(box) {
  const input = box.querySelector('input')
  const list = box.querySelector('ul')
  const index = once(loadIndex)
  let chosen = -1

  function choose(position) {
    const options = [...list.children]
    chosen = options.length === 0 ? -1 : (position + options.length) % options.length
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === chosen))
    if (chosen < 0) return input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-activedescendant', options[chosen].id)
    options[chosen].scrollIntoView({ block: 'nearest' })
  }

  function show(options) {
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    choose(options.some((option) => option.dataset.href) ? 0 : -1)
  }

  async function search() {
    const text = input.value.trim()
    if (text === '') return show([])
    const found = (await index()).search(text).slice(0, SHOWN)
    // The text may have changed while the index was loaded.
    if (input.value.trim() !== text) return
    show(found.length > 0 ? found.map(toOption) : [nothingFound(text)])
  }

  const open = (option) => option?.dataset.href && location.assign(`${root}/${option.dataset.href}`)

  input.addEventListener('focus', index)
  input.addEventListener('input', search)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') open(list.children[chosen])
    else if (event.key === 'Escape') show([])
    else return
    event.preventDefault()
  })
  list.addEventListener('click', (event) => open(event.target.closest('li')))
  document.addEventListener('click', (event) => box.contains(event.target) || show([]))
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea')) return
    event.preventDefault()
    input.focus()
  })
}

function toOption({ id, title, heading }, position) {
  const option = listOption(position)
  option.dataset.href = id
  option.append(element('b', heading || title), element('span', heading ? title : ''))
  return option
}

function nothingFound(text) {
  const option = listOption(0)
  option.textContent = `Nothing found for “${text}”`
  return option
}

function listOption(position) {
  const option = document.createElement('li')
  option.id = `found-${position}`
  option.setAttribute('role', 'option')
  return option
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function loadIndex() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}/search-index.js`
    script.addEventListener('load', () =>
      resolve(MiniSearch.loadJSON(globalThis.heliographSearchIndex, SEARCH_OPTIONS)),
    )
    script.addEventListener('error', () => reject(new Error('the search index could not be loaded')))
    document.head.append(script)
  })
}

function once(work) {
  let running
  return () => {
    running ??= work()
    return running
  }
}

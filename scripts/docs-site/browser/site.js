// What a page of the documentation does in the browser: search, copy buttons, the menu on a phone.
import './site.css'
import { addCopyButtons } from './copy-buttons.js'
import { startSearch } from './search.js'

const isNarrow = matchMedia('(max-width: 56rem)')
const menu = document.querySelector('.menu')
const fitMenu = () => menu.toggleAttribute('open', !isNarrow.matches)
isNarrow.addEventListener('change', fitMenu)
fitMenu()

startSearch(document.querySelector('.search'))
addCopyButtons(document.querySelectorAll('pre.code'))

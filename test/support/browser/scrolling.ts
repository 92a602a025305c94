// Scrolls through a long inbox as a person does, for the test of it and for the benchmark.

// Run in the page, whose oldest entry is "Entry 1". Returns how much moved of itself, how many elements there were at most, and the
// height of the list at its end.
export const SCROLL_TO_THE_END = `(async () => {
  let shift = 0
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value })
    .observe({ type: 'layout-shift', buffered: true })
  const list = document.querySelector('.rows')
  const scroller = getComputedStyle(list).overflowY === 'auto' ? list : document.scrollingElement
  let elements = 0
  while (![...list.querySelectorAll('a')].some(({ textContent }) => /Entry 1(?!\\d)/.test(textContent))) {
    // As a person who does not outrun the loading: older rows are there before the end of the list is seen.
    const isEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 1400
    if (!isEnd || !list.querySelector('.rows-more')) scroller.scrollTop += 600
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    elements = Math.max(elements, document.querySelectorAll('*').length)
  }
  return { shift, elements, height: scroller.scrollHeight }
})()`

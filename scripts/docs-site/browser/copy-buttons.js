// A button on every block of code that copies it.
const SHOWN_MS = 2000

export function addCopyButtons(blocks) {
  // Browsers offer the clipboard to secure pages only.
  if (!navigator.clipboard) return
  for (const block of blocks) {
    const frame = document.createElement('div')
    frame.className = 'code-frame'
    block.replaceWith(frame)
    frame.append(block, copyButton(block))
  }
}

function copyButton(block) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, SHOWN_MS)
  })
  return button
}

// The shared worker of all tabs of this browser.
import { createHub } from './hub.ts'

const addTab = createHub()

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port) addTab(port)
})

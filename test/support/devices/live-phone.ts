// A phone that behaves as the app does: it shows what is started, registers a token for it, and removes what ends.
import type { TestApp, TestUser } from '../app.ts'
import type { PushServices } from '../fakes/push-services.ts'
import { addActivityPhone } from './activity-phone.ts'

export type LivePhone = {
  // Handles the pushes that have arrived since the last time; returns their number.
  catchUp(): Promise<number>
  // The state text of each activity on the screen, by the id of the activity.
  screen(): Record<string, string>
}

type Shown = { state: string; timestamp: number }

export async function addLivePhone(
  services: Pick<PushServices, 'apns'>,
  owner: { app: TestApp; user: TestUser },
): Promise<LivePhone> {
  const phone = await addActivityPhone(services, owner)
  const shown = new Map<string, Shown>()
  const idOfToken = new Map<string, string>()
  let handled = 0

  // The app ends an older card of the same activity.
  async function start(id: string, state: Shown): Promise<void> {
    for (const [token, other] of idOfToken) if (other === id) idOfToken.delete(token)
    shown.set(id, state)
    idOfToken.set(await phone.show(id), id)
  }

  // iOS ignores a push that is older than what it shows.
  function change(id: string, event: string, state: Shown): void {
    const before = shown.get(id)
    if (!before || state.timestamp < before.timestamp) return
    if (event === 'end') shown.delete(id)
    else shown.set(id, state)
  }

  return {
    screen: () => Object.fromEntries([...shown].map(([id, { state }]) => [id, state])),
    async catchUp() {
      const arrived = services.apns.requests.slice(handled).filter(({ isAccepted }) => isAccepted)
      handled = services.apns.requests.length
      let count = 0
      for (const { token, payload } of arrived) {
        const { aps } = JSON.parse(payload)
        const state = { state: String(aps['content-state'].state), timestamp: aps.timestamp }
        const id = token === phone.startToken ? aps.attributes.id : idOfToken.get(token)
        if (id === undefined) continue
        count += 1
        if (aps.event === 'start') await start(id, state)
        else change(id, aps.event, state)
      }
      return count
    },
  }
}

// A new message of the person to their own devices.
import { useLocation } from 'preact-iso'
import { newDraft } from '../messages/draft.ts'
import { MessageBuilder } from '../messages/message-builder.tsx'
import type { When } from '../schedules/timing.ts'
import { TEXTS } from '../texts/base.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { Page } from '../ui/page.tsx'

// What another app of the phone has shared with the installed console, as the manifest names it.
const sharedDraft = ({ title = '', text = '', url = '' }: Record<string, string>) => ({
  ...newDraft('now'),
  title,
  body: text,
  url,
})

const CHOICES: When[] = ['now', 'once', 'repeat']

export function NewMessagePage() {
  const { route, query } = useLocation()
  return (
    <Page title={TEXTS.nav.newMessage} intro={MESSAGE_TEXTS.intro} isWide>
      <MessageBuilder
        initial={sharedDraft(query)}
        choices={CHOICES}
        home="/app/"
        onDone={(when, id) => route(when === 'now' ? `/app/n/${id}` : '/app/schedules')}
      />
    </Page>
  )
}

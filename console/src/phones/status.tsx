// Whether a phone has arrived: waits, is signed in, or receives notifications and can be tested.
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { PHONE_TEXTS } from '../texts/phones.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

// `isOn`: it receives notifications. `isSignedIn`: a step of the person on the phone is left.
type PhoneStatusProps = { title: string; text: string; isOn?: boolean; isSignedIn?: boolean }

export function PhoneStatus({ title, text, isOn, isSignedIn }: PhoneStatusProps) {
  return (
    <section class={isOn || isSignedIn ? 'card phone-status phone-status-on' : 'card phone-status'} role="status">
      <span class="phone-status-icon">
        <Icon name={isOn || isSignedIn ? 'check' : 'clock'} size={24} />
      </span>
      <div>
        <h2>{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {isOn && (
        <div class="phone-status-actions">
          <Button icon="bell" look="primary" onClick={sendTest}>
            {PHONE_TEXTS.test}
          </Button>
          <ButtonLink href="/app/devices">{PHONE_TEXTS.done}</ButtonLink>
        </div>
      )}
    </section>
  )
}

const sendTest = () =>
  attempt(
    () => api.post('/notifications', { title: PHONE_TEXTS.testTitle, body: PHONE_TEXTS.testBody, source: 'console' }),
    PHONE_TEXTS.testSent,
  )

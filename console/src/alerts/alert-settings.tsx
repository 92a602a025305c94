// Settings of the alerts in this browser: their sound, and whether the system shows them.
import { useState } from 'preact/hooks'
import { ALERT_TEXTS } from '../texts/alerts.ts'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/field.tsx'
import { alertSound, ring } from './sound.ts'
import { canShowBySystem } from './system-notification.ts'

export function AlertSettings() {
  return (
    <section class="card section">
      <h2>{ALERT_TEXTS.title}</h2>
      <p class="muted">{ALERT_TEXTS.text}</p>
      <div class="alert-sound">
        <Segments
          label={ALERT_TEXTS.sound}
          value={alertSound.value === 'on' ? 'on' : 'off'}
          options={[
            ['on', ALERT_TEXTS.soundChoices.on],
            ['off', ALERT_TEXTS.soundChoices.off],
          ]}
          onChange={(chosen) => (alertSound.value = chosen)}
        />
        <Button icon="play" onClick={ring}>
          {ALERT_TEXTS.trySound}
        </Button>
      </div>
      {canShowBySystem() && <SystemNotifications />}
      <p>
        <a href="/app/quiet-hours">{ALERT_TEXTS.quietHours}</a>
      </p>
    </section>
  )
}

function SystemNotifications() {
  const [permission, setPermission] = useState(Notification.permission)
  if (permission === 'granted') return <p class="muted">{ALERT_TEXTS.allowed}</p>
  if (permission === 'denied') return <p class="muted">{ALERT_TEXTS.denied}</p>
  return (
    <div class="alert-permission">
      <Button icon="bell" onClick={async () => setPermission(await Notification.requestPermission())}>
        {ALERT_TEXTS.allow}
      </Button>
      <p class="muted">{ALERT_TEXTS.allowText}</p>
    </div>
  )
}

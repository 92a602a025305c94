// The buttons of a notification: answers that the server records, links, and silent calls.
import { useState } from 'preact/hooks'
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import { ApiError, api } from '../api/client.ts'
import { thisDeviceId } from '../state/this-browser.ts'
import { attempt, showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { actionTitle } from './action-title.ts'
import type { DecryptedView } from './decryption.ts'
import { GivenAnswer } from './given-answer.tsx'
import { refreshNotification } from './inbox.ts'
import { callSilently, isSilent } from './silent-call.ts'
import { markRead } from './triage.ts'

type ActionsProps = {
  notification: DecryptedView
  // Reads the notification again. By default where it is listed.
  reload?: () => Promise<void>
  size?: 'small' | 'normal'
}

export function Actions({ notification, reload, size }: ActionsProps) {
  const { id, url, actions = [], org_id, answer, receipt } = notification
  useKeys({ r: () => document.querySelector<HTMLElement>('.actions .button:not(:disabled), .actions .input')?.focus() })
  if (actions.length === 0 && !url) return null
  const isOpen = !answer || answer.status === 'pending'
  // The receipt tells who has acknowledged an alert.
  const isGiven = answer?.status === 'answered' && receipt?.status !== 'acknowledged'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form.
    <div class="actions" role="group" aria-label={TEXTS.detail.actions}>
      {isGiven && <GivenAnswer answer={answer} actions={actions} orgId={org_id} />}
      {answer?.status === 'expired' && !receipt && <p class="muted">{TEXTS.detail.expired}</p>}
      <div class="actions-row">
        {actions
          .filter((action) => action.url || isOpen)
          .map((action, index) => (
            <ActionButton
              key={action.id}
              {...{ id, action, size }}
              isFirst={index === 0}
              onAnswered={reload ?? (() => refreshNotification(id))}
            />
          ))}
        {url && <OpenLink url={url} size={size} />}
      </div>
    </div>
  )
}

type ActionProps = {
  id: number
  action: NotificationAction
  isFirst: boolean
  size?: 'small' | 'normal'
  onAnswered: () => Promise<void>
}

function ActionButton({ id, action, isFirst, size, onAnswered }: ActionProps) {
  const [step, setStep] = useState<'idle' | 'writing' | 'confirming'>('idle')
  const run = async (text?: string) => {
    await runAction(id, action, text)
    if (isSilent(action)) showToast(TEXTS.detail.called(action.title))
    setStep('idle')
    await onAnswered()
  }
  const act = (text?: string) => attempt(() => run(text))
  if (step === 'writing') return <ReplyForm action={action} send={act} />
  const look = action.destructive ? 'danger' : isFirst ? 'primary' : 'plain'
  const click = () => {
    if (action.text_input) setStep('writing')
    else if (action.destructive) setStep('confirming')
    else return act()
  }
  return (
    <>
      <Button
        look={look}
        size={size}
        icon={action.url && !isSilent(action) ? 'link' : action.text_input ? 'reply' : undefined}
        onClick={click}
      >
        {actionTitle(action, TEXTS.detail.acknowledge)}
      </Button>
      {step === 'confirming' && (
        <Confirm
          title={TEXTS.detail.destructiveTitle(action.title)}
          confirm={action.title}
          work={run}
          onClose={() => setStep('idle')}
        >
          {TEXTS.detail.destructiveText}
        </Confirm>
      )}
    </>
  )
}

function ReplyForm({ action, send }: { action: NotificationAction; send: (text: string) => Promise<unknown> }) {
  const [text, setText] = useState('')
  return (
    <Form class="reply" onSubmit={() => send(text)}>
      <input
        class="input"
        aria-label={action.title}
        placeholder={action.text_input_placeholder ?? TEXTS.detail.reply}
        value={text}
        maxLength={4096}
        ref={(field) => field?.focus()}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" look="primary" disabled={text.trim() === ''}>
        {action.text_input_button_title ?? TEXTS.detail.send}
      </Button>
    </Form>
  )
}

// A link instead of a button, so that it can be opened in the background or copied.
function OpenLink({ url, size }: { url: string; size?: 'small' | 'normal' }) {
  return (
    <a
      class={`button button-plain ${size === 'small' ? 'button-small' : ''}`}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Icon name="link" size={18} />
      {TEXTS.detail.openLink}
    </a>
  )
}

async function runAction(id: number, action: NotificationAction, text?: string): Promise<void> {
  if (!action.url) return answer(id, action.id, text)
  if (isSilent(action)) return callSilently(action, text)
  // A custom scheme opened in a new tab would leave an empty tab.
  window.open(action.url, /^https?:/i.test(action.url) ? '_blank' : '_self', 'noopener,noreferrer')
}

async function answer(id: number, actionId: string, text?: string): Promise<void> {
  const deviceId = await thisDeviceId()
  try {
    await api.post(`/notifications/${id}/answer`, { action_id: actionId, text, device_id: deviceId })
  } catch (error) {
    // Not an error: another device answered first, and the page will show that answer.
    if (!(error instanceof ApiError && error.code === 'notification_answer.already_answered')) throw error
  }
  // If this fails, the notification stays unread.
  await markRead([id]).catch(() => {})
}

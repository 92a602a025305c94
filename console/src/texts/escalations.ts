// Texts of escalation policies.
import { inLanguage } from '../language.ts'
import { ESCALATIONS } from './german/escalations.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

type Uses = { heartbeats: number; hooks: number; schedules: number }

export const ENGLISH = {
  intro: 'What happens while nobody acknowledges an alert: louder, to more people, step by step.',
  none: 'No policy yet',
  noneHint: 'Create one, then choose it in a message that repeats until someone acknowledges it, or in a heartbeat.',
  create: 'New policy',
  toList: 'All policies',
  missing: 'There is no such policy.',
  edit: 'Edit the policy',
  lanes: { devices: 'Your devices', receivers: 'First receivers' },
  minutes: 'Minutes',
  pushedAgain: (level: string | undefined, every: string | undefined) =>
    [level ? `pushed again as “${level}”` : 'pushed again', every && `then every ${every}`].filter(Boolean).join(', '),
  emailed: (addresses: string) => `e-mail to ${addresses}`,
  alsoTo: (target: string) => `also to ${target}`,
  called: (host: string) => `callback to ${host}`,
  stepLine: (time: string, does: string) => `After ${time}: ${does}`,
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleteText: 'Alerts that were sent before keep their steps.',
  delete: 'Delete',
  deleteAnyway: 'Delete anyway',
  deleted: 'The policy was deleted.',
  deleteLabel: (name: string) => `Delete ${name}`,
  editLabel: (name: string) => `Edit ${name}`,
  usedBy: ({ heartbeats, hooks, schedules }: Uses): string => {
    const parts = [
      heartbeats > 0 && plural(heartbeats, 'heartbeat', 'heartbeats'),
      hooks > 0 && plural(hooks, 'webhook', 'webhooks'),
      schedules > 0 && plural(schedules, 'schedule', 'schedules'),
    ].filter(Boolean)
    return `It is used by ${parts.join(', ')}. Their alerts would be sent without steps.`
  },
  // The field in forms for alerts.
  field: 'Escalation',
  fieldHint: 'What happens while nobody acknowledges it.',
  noPolicy: 'None',
  form: {
    name: 'Name',
    slug: 'Slug',
    slugHint: 'Its name in the API: {"acknowledge": {"escalation": "…"}}.',
    slugTaken: 'There is a policy with this slug already.',
    step: (number: number) => `Step ${number}`,
    after: 'After',
    afterRange: 'Between 1 minute and 3 hours.',
    afterLater: 'Later than the step before.',
    level: 'Level',
    keep: 'As before',
    repeat: 'Repeats every',
    emails: 'E-mail to',
    noRecipients: 'E-mail needs a confirmed recipient.',
    toRecipients: 'Add one',
    target: 'Also to these members. Without a choice nobody is added.',
    callback: 'Callback address',
    callbackHint: 'https; gets a signed POST “notification.escalated”.',
    noEffect: 'Choose a level, a recipient or a callback.',
    addStep: 'Add a step',
    removeStep: (number: number) => `Remove step ${number}`,
    preview: 'Who hears when',
    incomplete: 'Each step needs a later time and an effect.',
    submit: 'Create the policy',
    created: 'The policy was created.',
    changed: 'The policy was changed.',
  },
}

export const ESCALATION_TEXTS = inLanguage({ en: ENGLISH, de: ESCALATIONS })

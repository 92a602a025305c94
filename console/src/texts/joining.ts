// Texts about codes and links by which people join: an activity or an organization.
import { inLanguage } from '../language.ts'
import { JOINING } from './german/joining.ts'

const codeInvalid = 'The code does not work. It is mistyped, used up, expired or deleted. Ask for a new one.'

export const ENGLISH = {
  uses: 'How many people can join',
  validFor: 'The code is valid for',
  validity: { 3600: '1 hour', 86400: '1 day', 604800: '7 days' },
  create: 'Create a code',
  link: 'link',
  qr: (code: string) => `QR code of the link for code ${code}`,
  give: 'Send the link, let them scan the picture, or tell them the code.',
  used: (count: number, most: number) => `used ${count} of ${most}`,
  expires: 'expires',
  show: 'Show',
  deleteLabel: (code: string) => `Delete code ${code}`,
  showLabel: (code: string) => `Show code ${code}`,
  codes: 'Open codes',
  noCodes: 'No code is open.',
  // Of those who have removed their nickname.
  noNickname: (id: string) => `Account ${id.slice(0, 4).toUpperCase()}`,
  joined: 'joined',
  roleOf: (name: string) => `Role of ${name}`,
  remove: 'Remove',
  removeLabel: (name: string) => `Remove ${name}`,
  leave: 'Leave',
  left: 'You have left.',
  field: 'Join by code',
  hint: 'The code or link that someone gave you.',
  placeholder: 'K7QW-2MXD',
  next: 'Continue',
  submit: 'Join',
  notNow: 'Not now',
  otherCode: 'Enter another code',
  refused: 'You cannot join by this code',
  done: 'You have joined.',
  doneIn: (name: string) => `You are a member of “${name}”. What it sends arrives here.`,
  planHint: 'The operator of this server can change your plan.',
  // Refusals of a code, by problem code.
  refusals: {
    'share.code_invalid': codeInvalid,
    'org.code_invalid': codeInvalid,
    'rate_limit.exceeded': 'Too many codes were tried from here. Wait a minute, then try again.',
  },
}

export const JOIN_TEXTS = inLanguage({ en: ENGLISH, de: JOINING })

// German texts about codes and links by which people join: an activity or an organization.
import type { ENGLISH } from '../joining.ts'

const codeInvalid =
  'Der Code funktioniert nicht. Er ist falsch geschrieben, aufgebraucht, abgelaufen oder gelöscht. Bitten Sie um einen neuen.'

export const JOINING: typeof ENGLISH = {
  uses: 'Wie viele Personen beitreten können',
  validFor: 'Der Code gilt für',
  validity: { 3600: '1 Stunde', 86400: '1 Tag', 604800: '7 Tage' },
  create: 'Code anlegen',
  link: 'Link',
  qr: (code) => `QR-Code mit dem Link für den Code ${code}`,
  give: 'Den Link senden, das Bild scannen lassen oder den Code nennen.',
  used: (count, most) => `${count} von ${most} verwendet`,
  expires: 'gültig bis',
  show: 'Anzeigen',
  deleteLabel: (code) => `Code ${code} löschen`,
  showLabel: (code) => `Code ${code} anzeigen`,
  codes: 'Offene Codes',
  noCodes: 'Kein Code ist offen.',
  noNickname: (id) => `Konto ${id.slice(0, 4).toUpperCase()}`,
  joined: 'beigetreten',
  roleOf: (name) => `Rolle von ${name}`,
  remove: 'Entfernen',
  removeLabel: (name) => `${name} entfernen`,
  leave: 'Verlassen',
  left: 'Sie nehmen nicht mehr teil.',
  field: 'Mit einem Code beitreten',
  hint: 'Der Code oder Link, den Sie bekommen haben.',
  placeholder: 'K7QW-2MXD',
  next: 'Weiter',
  submit: 'Beitreten',
  notNow: 'Nicht jetzt',
  otherCode: 'Anderen Code eingeben',
  refused: 'Mit diesem Code können Sie nicht beitreten',
  done: 'Sie sind beigetreten.',
  doneIn: (name) => `Sie sind Mitglied von „${name}“. Was von dort gesendet wird, kommt hier an.`,
  planHint: 'Der Betreiber dieses Servers kann Ihren Tarif ändern.',
  refusals: {
    'share.code_invalid': codeInvalid,
    'org.code_invalid': codeInvalid,
    'rate_limit.exceeded': 'Von hier wurden zu viele Codes probiert. Eine Minute warten, dann erneut versuchen.',
  },
}

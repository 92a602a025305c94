// German texts of sharing.
import type { ENGLISH } from '../shares.ts'
import { JOINING } from './joining.ts'

export const SHARES: typeof ENGLISH = {
  intro: 'Ihre Aktivitäten auf den Geräten anderer, und deren Aktivitäten auf Ihren.',
  roles: { viewer: 'Betrachter', editor: 'Bearbeiter' },
  roleChoices: {
    viewer: 'Betrachter: sieht sie und erhält ihre Pushes',
    editor: 'Bearbeiter: kann sie auch ändern',
  },
  pattern: (pattern) =>
    pattern === '*' ? 'Alle Aktivitäten' : `Alle Aktivitäten, die mit „${pattern.slice(0, -1)}“ beginnen`,
  share: 'Teilen',
  sharedWith: (count) => `geteilt mit ${count}`,
  from: (owner) => `von ${owner ?? 'einem anderen Konto'}`,
  dialogTitle: (name) => `„${name}“ teilen`,
  form: {
    another: 'Weiteren Code anlegen',
    role: 'Sie treten bei als',
    pattern: 'Aktivitäten',
    patternHint:
      'Die ersten Zeichen ihrer Slugs und ein *, zum Beispiel deploy-*. Ein * allein bedeutet alle. Auch Aktivitäten, die Sie später anlegen, gehören dazu.',
    patternPlaceholder: 'deploy-*',
    patternTitle: 'Mehrere Aktivitäten teilen',
    sharePattern: 'Mehrere teilen',
  },
  code: {
    title: (what) => `Freigabecode: ${what}`,
    lead: (usesLeft, role) => {
      const joinAs = `als ${role === 'editor' ? 'Bearbeiter' : 'Betrachter'} beitreten`
      return usesLeft === 1 ? `Eine Person kann ${joinAs}, bis zum` : `${usesLeft} Personen können ${joinAs}, bis zum`
    },
  },
  given: 'Von Ihnen geteilt',
  noneGiven: 'Sie teilen noch nichts. Um eine Aktivität zu teilen, öffnen Sie sie und wählen Sie „Teilen“.',
  people: 'Personen',
  noPeople: 'Noch ist niemand beigetreten.',
  byPattern: (pattern) => `über ${pattern}`,
  removeTitle: (name) => `Nicht mehr mit ${name} teilen?`,
  removeText: 'Die Aktivität verschwindet sofort von den Geräten dieser Person.',
  removePatternText: (pattern) =>
    `Alle Aktivitäten, die zu ${pattern} passen, verschwinden sofort von den Geräten dieser Person.`,
  received: 'Mit Ihnen geteilt',
  noneReceived: 'Noch teilt niemand eine Aktivität mit Ihnen.',
  leaveLabel: (what) => `${what} verlassen`,
  leaveTitle: (what) => `„${what}“ verlassen?`,
  leaveText: 'Die Aktivität verschwindet sofort von Ihren Geräten. Für die Rückkehr brauchen Sie einen neuen Code.',
  leavePatternText: (patterns) =>
    `Alle Aktivitäten, die zu ${patterns} passen, verschwinden sofort von Ihren Geräten. Für die Rückkehr brauchen Sie einen neuen Code.`,
  join: {
    title: 'Mit Ihnen geteilt',
    heading: (owner, what) => `${owner ?? 'Ein anderes Konto'} teilt ${what} mit Ihnen.`,
    activity: (slug) => `die Aktivität „${slug}“`,
    pattern: (pattern) =>
      pattern === '*' ? 'alle Aktivitäten' : `alle Aktivitäten, die mit „${pattern.slice(0, -1)}“ beginnen,`,
    roles: {
      viewer: 'Sie treten als Betrachter bei: Sie können zusehen und nichts ändern.',
      editor: 'Sie treten als Bearbeiter bei: Sie können auch Änderungen vornehmen.',
    },
    effect: 'Die Aktivität erscheint auf Ihren Geräten, und Aktualisierungen kommen als Pushes an.',
    patternEffect:
      'Die Aktivitäten erscheinen auf Ihren Geräten, auch später angelegte, und Aktualisierungen kommen als Pushes an.',
  },
  refusals: {
    share: {
      'subscription.required': `Zum Teilen ist ein bezahlter Tarif nötig. ${JOINING.planHint}`,
      'permission.editor_requires_paid_recipient':
        'Ein Bearbeiter braucht einen bezahlten Tarif, und diese Person hat einen kostenlosen.',
      'share.not_found': 'Diese Freigabe oder diesen Code gibt es nicht mehr.',
    },
    join: {
      ...JOINING.refusals,
      'share.own': 'Das ist Ihr eigener Code. Geben Sie ihn den Personen, mit denen Sie teilen möchten.',
      'subscription.required': `Um mehreren Aktivitäten mit einem Code beizutreten, ist ein bezahlter Tarif nötig. ${JOINING.planHint} Oder bitten Sie um einen Code für eine einzelne Aktivität.`,
      'permission.editor_requires_paid_recipient': `Bearbeiter brauchen einen bezahlten Tarif. Bitten Sie um einen Code, mit dem Sie Betrachter werden. ${JOINING.planHint}`,
      'permission.free_recipient_limit_exceeded':
        'Die Aktivität wird schon mit so vielen Personen mit kostenlosem Tarif geteilt wie erlaubt. Wenn eine von ihnen geht, können Sie beitreten.',
      'permission.free_share_limit_exceeded':
        'Sie haben so viele geteilte Aktivitäten, wie Ihr Tarif erlaubt. Verlassen Sie zuerst eine davon.',
    },
  },
  limits: {
    codes: (limit) =>
      `Sie haben ${limit} offene Codes, mehr sind nicht möglich. Löschen Sie einen nicht mehr benötigten.`,
    recipients: (limit) => `Mit ${limit} Personen wird schon geteilt, mehr sind nicht möglich.`,
    received: (limit) => `Sie sind ${limit} Freigaben beigetreten, mehr sind nicht möglich. Verlassen Sie zuerst eine.`,
  },
}

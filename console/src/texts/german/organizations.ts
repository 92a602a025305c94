// German texts of organizations.
import type { ENGLISH } from '../organizations.ts'
import { JOINING } from './joining.ts'
import { planName } from './page-terms.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const members = (count: number) => plural(count, 'Mitglied', 'Mitglieder')
const toMembers = (count: number) => plural(count, 'Mitglied', 'Mitgliedern')
const onDevices = (count: number) => `auf ${plural(count, 'Gerät', 'Geräten')}`

export const ORGANIZATIONS: typeof ENGLISH = {
  intro: 'Gruppen von Personen, die dieselben Benachrichtigungen und Aktivitäten erhalten.',
  none: 'Sie sind noch in keiner Organisation.',
  noneHint: 'Legen Sie eine an und laden Sie Personen ein, oder treten Sie mit einem Code einer bei.',
  create: 'Neue Organisation',
  createTitle: 'Neue Organisation',
  name: 'Name',
  nameHint: 'Die Mitglieder sehen den Namen an allem, was die Organisation sendet.',
  createSubmit: 'Anlegen',
  needsPlan: `Um eine Organisation anzulegen, ist ein bezahlter Tarif nötig. ${JOINING.planHint} Beitreten können Sie in jedem Tarif.`,
  roles: { owner: 'Inhaber', admin: 'Admin', member: 'Mitglied' },
  members,
  plan: planName,
  missing: 'Diese Organisation gibt es nicht, oder Sie sind kein Mitglied mehr.',
  toList: 'Alle Organisationen',
  more: 'Mehr anzeigen',
  member: {
    you: 'Sie',
    unreachable: 'kein Gerät mit Pushes',
    mutedUntil: 'stummgeschaltet bis',
    removeTitle: (name) => `${name} entfernen?`,
    removeText:
      'Diese Person erhält nichts mehr von der Organisation, und offene Einladungen lassen sie nicht wieder ein. Was sie erhalten hat, bleibt im Posteingang. Schlüssel, die sie angelegt hat, gelten weiter. Erneuern oder löschen Sie diese.',
    mute: 'Stummschalten',
    muteTitle: 'Diese Organisation stummschalten',
    muteText: 'Bis dahin erhalten Sie keine Pushes von ihr. Alles kommt weiterhin in Ihrem Posteingang an.',
    muteFor: 'Für',
    muteChoices: { 1: '1 Stunde', 8: '8 Stunden', 24: '1 Tag', 168: '1 Woche', 672: '4 Wochen' },
    unmute: 'Stummschaltung aufheben',
    search: 'Nach Anzeigenamen suchen',
    noneFound: 'Niemand hat diesen Anzeigenamen.',
    searched: (count) => `Die ersten ${count} Mitglieder wurden durchsucht.`,
  },
  invite: {
    open: 'Einladen',
    title: 'Personen einladen',
    role: 'Sie treten bei als',
    roleChoices: {
      member: 'Mitglied: empfängt und antwortet',
      admin: 'Admin: sendet auch und verwaltet Mitglieder, Gruppen und Schlüssel',
    },
    groups: 'Sie kommen in diese Gruppen',
    lead: (usesLeft, role) => {
      const joinAs = `als ${role === 'admin' ? 'Admin' : 'Mitglied'} beitreten`
      return usesLeft === 1 ? `Eine Person kann ${joinAs}, bis zum` : `${usesLeft} Personen können ${joinAs}, bis zum`
    },
    shownTitle: 'Einladung',
    openOnes: 'Offene Einladungen',
  },
  groups: {
    title: 'Gruppen',
    intro: 'Benannte Mengen von Mitgliedern, an die gesendet werden kann.',
    none: 'Es gibt noch keine Gruppe.',
    create: 'Neue Gruppe',
    name: 'Name',
    nameHint: 'Ohne Kommas, zum Beispiel „bereitschaft“.',
    add: 'Hinzufügen',
    edit: (name) => `${name} umbenennen`,
    editTitle: (name) => `„${name}“ umbenennen`,
    membersOf: (name) => `Mitglieder von „${name}“`,
    choose: (name) => `Mitglieder von ${name} wählen`,
    chooseShort: 'Mitglieder',
    delete: (name) => `${name} löschen`,
    deleteTitle: (name) => `Die Gruppe „${name}“ löschen?`,
    deleteText: 'Ihre Mitglieder bleiben in der Organisation.',
  },
  tags: {
    title: 'Schlagwörter',
    intro:
      'Mitglieder geben ihren Geräten Schlagwörter, auf der Seite Geräte. An diese hier kann die Organisation senden.',
    none: 'Es gibt noch kein Schlagwort.',
    create: 'Neues Schlagwort',
    nameHint: 'Ohne Kommas, zum Beispiel „wand“.',
    devices: onDevices,
    delete: (name) => `Schlagwort ${name} löschen`,
    deleteTitle: (name) => `Das Schlagwort „${name}“ löschen?`,
    deleteText: 'Die Geräte behalten das Wort, aber die Organisation kann nicht mehr daran senden.',
  },
  delete: 'Löschen',
  deleteAnyway: 'Trotzdem löschen',
  usedBy: ({ keys, schedules, activities, heartbeats }) => {
    const uses = [
      keys > 0 && `${keys} Schlüssel`,
      schedules > 0 && plural(schedules, 'Zeitplan', 'Zeitplänen'),
      activities > 0 && plural(activities, 'Aktivität', 'Aktivitäten'),
      heartbeats > 0 && plural(heartbeats, 'Heartbeat', 'Heartbeats'),
    ].filter(Boolean)
    return `Noch verwendet von ${uses.join(', ')}. Nach dem Löschen erreichen sie unter diesem Namen niemanden mehr.`
  },
  target: {
    legend: 'An',
    hint: 'Nichts gewählt: alle. Ein Mitglied muss in jeder Liste sein, in der etwas gewählt ist.',
    keyHint: 'Nichts gewählt: Der Schlüssel erreicht die ganze Organisation.',
    groups: 'Gruppen',
    tags: 'Geräte mit einem Schlagwort',
    members: 'Mitglieder',
    everyone: 'alle',
    wholeOrganization: 'Erreicht die ganze Organisation',
    only: (what) => `Erreicht nur ${what}`,
    tagged: (names) => `Geräte mit dem Schlagwort ${names}`,
    chosenMembers: members,
    deletedGroup: 'eine gelöschte Gruppe',
    deletedTag: 'ein gelöschtes Schlagwort',
  },
  sent: {
    none: 'In den letzten 90 Tagen wurde nichts gesendet.',
    compose: 'Neue Benachrichtigung',
    composeTitle: 'An die Organisation senden',
    scheduled: 'Geplant',
    decidedLater: 'Wer sie erhält, entscheidet sich bei jedem Senden.',
    wouldReach: ({ members: reached, devices }) =>
      reached === 0
        ? 'Das erreicht niemanden. Sie können trotzdem senden.'
        : `Das erreicht ${members(reached)} ${onDevices(devices)}.`,
    reach: ({ members: reached, devices, stored, done }) => {
      if (reached === 0) return 'hat niemanden erreicht'
      const progress = done ? `${stored} gespeichert` : `bisher ${stored} gespeichert`
      return `an ${toMembers(reached)} ${onDevices(devices)}, ${progress}`
    },
    recall: 'Zurückrufen',
    recallLabel: (title) => `${title} zurückrufen`,
    recallTitle: (title) => `„${title}“ zurückrufen?`,
    recallText:
      'Die Benachrichtigung verschwindet aus allen Posteingängen und von allen Geräten und wiederholt sich nicht mehr. Eine gegebene Antwort bleibt.',
  },
  activities: {
    none: 'Es gibt keine Aktivität.',
    noneHint: 'Hier anlegen, oder mit einem Schlüssel der Organisation und PATCH auf /activities/{slug}.',
    audience: 'Wen sie erreicht',
    audienceHint: 'Ein Mitglied muss in jeder Liste sein, in der etwas gewählt ist. Ohne Auswahl erreicht sie alle.',
    reaches: (target) => `An ${target}`,
    end: 'Beenden',
    endLabel: (name) => `${name} beenden`,
    deleteLabel: (name) => `${name} löschen`,
    deleteText: 'Sie verschwindet von den Geräten aller, die sie erreicht.',
  },
  settings: {
    rename: 'Name der Organisation',
    saved: 'Gespeichert.',
    leave: 'Organisation verlassen',
    leaveTitle: (name) => `„${name}“ verlassen?`,
    leaveText:
      'Sie erhalten nichts mehr von ihr. Was Sie erhalten haben, bleibt im Posteingang, lässt sich aber nicht mehr beantworten.',
    delete: 'Organisation löschen',
    deleteTitle: (name) => `„${name}“ löschen?`,
    deleteText:
      'Ihre Schlüssel gelten sofort nicht mehr, ihre Zeitpläne und Aktivitäten werden gelöscht, und alle Mitglieder verlassen sie. Was sie erhalten haben, bleibt in ihren Posteingängen.',
    typeName: (name) => `Zur Bestätigung den Namen eingeben: ${name}`,
    deleted: 'Die Organisation wurde gelöscht.',
  },
  join: {
    title: 'Einladung',
    heading: (name) => `Sie sind zu „${name}“ eingeladen.`,
    roles: {
      member: 'Sie treten als Mitglied bei: Sie empfangen und beantworten Benachrichtigungen und Aktivitäten.',
      admin: 'Sie treten als Admin bei: Sie senden auch und verwalten Mitglieder, Gruppen und Schlüssel.',
    },
    effect:
      'Die Mitglieder sehen Ihren Anzeigenamen. Ihre eigenen Benachrichtigungen und Ihre Geräte bleiben privat, bis auf den Namen eines Geräts, auf dem Sie einen Alarm bestätigen.',
  },
  refusals: {
    ...JOINING.refusals,
    'org.name_taken': 'Dieser Name wird schon verwendet. Wählen Sie einen anderen.',
    'org.last_owner':
      'Sie sind der einzige Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber, oder löschen Sie die Organisation.',
    'org.not_found': 'Diese Organisation gibt es nicht, oder Sie sind kein Mitglied mehr.',
    'org_member.not_found': 'Diese Person ist kein Mitglied mehr.',
  },
  limits: {
    organizations: (limit) =>
      `Sie sind in ${limit} Organisationen, mehr sind nicht möglich. Verlassen Sie zuerst eine.`,
    members: (limit) => `Die Organisation hat ${limit} Mitglieder, mehr erlaubt ihr Tarif nicht.`,
    groups: (limit) => `Es gibt ${limit} Gruppen, mehr sind nicht möglich.`,
    tags: (limit) => `Es gibt ${limit} Schlagwörter, mehr sind nicht möglich.`,
    invitations: (limit) => `Es gibt ${limit} offene Einladungen, mehr sind nicht möglich. Löschen Sie zuerst eine.`,
  },
}

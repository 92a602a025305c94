// Texts of organizations. A separate file because it is loaded with their pages.
import type { NotificationView } from '../../../src/contract/notifications/notification.ts'
import type { OrgRole } from '../../../src/contract/organizations/organization.ts'
import { inLanguage } from '../language.ts'
import { ORGANIZATIONS } from './german/organizations.ts'
import { JOIN_TEXTS } from './joining.ts'
import { planName } from './page-terms.ts'

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const members = (count: number) => plural(count, 'member', 'members')

const ROLES: Record<OrgRole, string> = { owner: 'Owner', admin: 'Admin', member: 'Member' }

// By number of seconds.
type Recipients = NonNullable<NotificationView['recipients']>

type Uses = { keys: number; schedules: number; activities: number; heartbeats: number }

export const ENGLISH = {
  intro: 'Groups of people that get the same notifications and activities.',
  none: 'You are in no organization yet.',
  noneHint: 'Create one and invite people, or join one by a code.',
  create: 'New organization',
  createTitle: 'New organization',
  name: 'Name',
  nameHint: 'Its members see the name on everything it sends.',
  createSubmit: 'Create',
  needsPlan: `Creating an organization needs a paid plan. ${JOIN_TEXTS.planHint} You can join organizations on any plan.`,
  roles: ROLES,
  members,
  plan: planName,
  missing: 'There is no such organization, or you are no longer a member.',
  toList: 'All organizations',
  more: 'Show more',
  member: {
    you: 'You',
    unreachable: 'no device with pushes',
    mutedUntil: 'muted until',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeText:
      'They get nothing more from the organization, and open invitations do not let them in again. What they received stays in their inbox. Keys that they made go on: roll or delete those.',
    mute: 'Mute',
    muteTitle: 'Mute this organization',
    muteText: 'You get no pushes of it until then. Everything still arrives in your inbox.',
    muteFor: 'For',
    muteChoices: { 1: '1 hour', 8: '8 hours', 24: '1 day', 168: '1 week', 672: '4 weeks' },
    unmute: 'Unmute',
    search: 'Search by nickname',
    noneFound: 'Nobody has this nickname.',
    searched: (count: number) => `Searched the first ${count} members.`,
  },
  invite: {
    open: 'Invite',
    title: 'Invite people',
    role: 'They join as',
    roleChoices: {
      member: 'Member: receives and answers',
      admin: 'Admin: also sends, and manages members, groups and keys',
    },
    groups: 'They are put into these groups',
    lead: (usesLeft: number, role: 'member' | 'admin') => {
      const one = role === 'admin' ? 'an admin' : 'a member'
      return usesLeft === 1 ? `One person can join as ${one} until` : `${usesLeft} people can join as ${role}s until`
    },
    shownTitle: 'Invitation',
    openOnes: 'Open invitations',
  },
  groups: {
    title: 'Groups',
    intro: 'Named sets of members, to send to.',
    none: 'There is no group yet.',
    create: 'New group',
    name: 'Name',
    nameHint: 'Without commas, such as “on-call”.',
    add: 'Add',
    edit: (name: string) => `Rename ${name}`,
    editTitle: (name: string) => `Rename “${name}”`,
    membersOf: (name: string) => `Members of “${name}”`,
    choose: (name: string) => `Choose the members of ${name}`,
    chooseShort: 'Members',
    delete: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete the group “${name}”?`,
    deleteText: 'Its members stay in the organization.',
  },
  tags: {
    title: 'Tags',
    intro: 'Members put tags on their devices, on the page Devices. These are the ones to which you can send.',
    none: 'There is no tag yet.',
    create: 'New tag',
    nameHint: 'Without commas, such as “wall”.',
    devices: (count: number) => `on ${plural(count, 'device', 'devices')}`,
    delete: (name: string) => `Delete tag ${name}`,
    deleteTitle: (name: string) => `Delete the tag “${name}”?`,
    deleteText: 'Devices keep the word, but you can no longer send to it.',
  },
  delete: 'Delete',
  deleteAnyway: 'Delete anyway',
  usedBy: ({ keys, schedules, activities, heartbeats }: Uses) => {
    const uses = [
      keys > 0 && plural(keys, 'key', 'keys'),
      schedules > 0 && plural(schedules, 'schedule', 'schedules'),
      activities > 0 && plural(activities, 'activity', 'activities'),
      heartbeats > 0 && plural(heartbeats, 'heartbeat', 'heartbeats'),
    ].filter(Boolean)
    return `Still used by ${uses.join(', ')}. If you delete it anyway, they reach nobody by this name.`
  },
  target: {
    legend: 'To',
    hint: 'Nothing chosen: everyone. A member must be in every list in which you choose something.',
    keyHint: 'Nothing chosen: the key reaches the whole organization.',
    groups: 'Groups',
    tags: 'Devices with a tag',
    members: 'Members',
    everyone: 'everyone',
    wholeOrganization: 'Reaches the whole organization',
    only: (what: string) => `Reaches only ${what}`,
    tagged: (names: string) => `devices tagged ${names}`,
    chosenMembers: members,
    deletedGroup: 'a deleted group',
    deletedTag: 'a deleted tag',
  },
  sent: {
    none: 'Nothing was sent in the last 90 days.',
    compose: 'New notification',
    composeTitle: 'Send to the organization',
    scheduled: 'Scheduled',
    decidedLater: 'Who gets it is decided each time it is sent.',
    wouldReach: ({ members: reached, devices }: Pick<Recipients, 'members' | 'devices'>) =>
      reached === 0
        ? 'This reaches nobody. You can send it all the same.'
        : `This reaches ${members(reached)} on ${plural(devices, 'device', 'devices')}.`,
    reach: ({ members: reached, devices, stored, done }: Recipients) => {
      if (reached === 0) return 'reached nobody'
      const progress = done ? `${stored} stored` : `${stored} stored so far`
      return `to ${members(reached)} on ${plural(devices, 'device', 'devices')}, ${progress}`
    },
    recall: 'Recall',
    recallLabel: (title: string) => `Recall ${title}`,
    recallTitle: (title: string) => `Recall “${title}”?`,
    recallText: 'It disappears from all inboxes and devices, and no longer repeats. An answer that was given stays.',
  },
  activities: {
    none: 'There is no activity.',
    noneHint: 'Create one here, or with a key of the organization and a PATCH at /activities/{slug}.',
    audience: 'Whom it reaches',
    audienceHint: 'A member must be in every list that you choose from. Without a choice it reaches everyone.',
    reaches: (target: string) => `To ${target}`,
    end: 'End',
    endLabel: (name: string) => `End ${name}`,
    deleteLabel: (name: string) => `Delete ${name}`,
    deleteText: 'It disappears from the devices of everyone whom it reaches.',
  },
  settings: {
    rename: 'Name of the organization',
    saved: 'Saved.',
    leave: 'Leave the organization',
    leaveTitle: (name: string) => `Leave “${name}”?`,
    leaveText: 'You get nothing more from it. What you received stays in your inbox, but cannot be answered any more.',
    delete: 'Delete the organization',
    deleteTitle: (name: string) => `Delete “${name}”?`,
    deleteText:
      'Its keys stop working immediately, its schedules and activities are deleted, and all members leave it. What they received stays in their inboxes.',
    typeName: (name: string) => `Type the name to confirm: ${name}`,
    deleted: 'The organization was deleted.',
  },
  join: {
    title: 'Invitation',
    heading: (name: string) => `You are invited to “${name}”.`,
    roles: {
      member: 'You join as a member: you receive and answer its notifications and activities.',
      admin: 'You join as an admin: you also send, and manage members, groups and keys.',
    },
    effect:
      'Its members see your nickname. Your own notifications and your devices stay private, except the name of a device on which you acknowledge an alert.',
  },
  // By problem code.
  refusals: {
    ...JOIN_TEXTS.refusals,
    'org.name_taken': 'This name is already used. Choose another one.',
    'org.last_owner': 'You are the only owner. Make another member an owner first, or delete the organization.',
    'org.not_found': 'There is no such organization, or you are no longer a member.',
    'org_member.not_found': 'This person is no longer a member.',
  } as Record<string, string>,
  // Refusals with `org.limit_exceeded`, by `kind`.
  limits: {
    organizations: (limit: number) =>
      `You are in ${limit} organizations, which is the limit. Leave one, then try again.`,
    members: (limit: number) => `The organization has ${limit} members, which is the limit of its plan.`,
    groups: (limit: number) => `There are ${limit} groups, which is the limit.`,
    tags: (limit: number) => `There are ${limit} tags, which is the limit.`,
    invitations: (limit: number) => `There are ${limit} open invitations, which is the limit. Delete one first.`,
  },
}

export const ORG_TEXTS = inLanguage({ en: ENGLISH, de: ORGANIZATIONS })

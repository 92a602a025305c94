// The settings in groups, as the help shows them.
import { SETTING_NAMES, type SettingName } from '../runtime/settings.ts'

const GROUPS: [heading: string, names: SettingName[]][] = [
  ['Listening:', ['host', 'port', 'publicUrl', 'trustProxy', 'corsOrigins', 'drainSeconds']],
  ['Database:', ['dataDir', 'databaseUrl']],
  [
    'Limits:',
    [
      'rateLimitPerMinute',
      'maxConnections',
      'maxConnectionsPerAddress',
      'agentWaits',
      'agentWaitsPerKey',
      'attachmentMb',
      'attachmentDays',
      'outboundAllow',
    ],
  ],
  [
    'Accounts:',
    [
      'plans',
      'defaultPlan',
      'invitedAccounts',
      'maxInvitedAccounts',
      'answers',
      'acknowledge',
      'readRetentionDays',
      'unreadRetentionDays',
      'inboxMegabytes',
    ],
  ],
  [
    'Apple:',
    [
      'apnsKeyFile',
      'apnsKeyId',
      'apnsTeamId',
      'apnsTopic',
      'apnsUrl',
      'apnsSandboxUrl',
      'barkKeyFile',
      'barkKeyId',
      'barkTeamId',
      'barkTopic',
      'appleAudience',
      'appleKeysUrl',
    ],
  ],
  ['Mail:', ['smtpUrl', 'mailFrom']],
  [
    'Programs and apps of other services:',
    ['doors', 'ntfyHost', 'ntfyUpstream', 'unifiedpush', 'gotifyHost', 'barkHost'],
  ],
  ['Pictures and screen links:', ['pictures', 'pictureProcesses', 'pictureCacheMb', 'fontsDir', 'screenLinks']],
  ['Log and metrics:', ['logLevel', 'logFormat', 'metricsPort', 'metricsHost']],
]

const OTHERS = 'Others:'

export const groupOf = (name: SettingName): string => GROUPS.find(([, names]) => names.includes(name))?.[0] ?? OTHERS

// Groups without a setting are left out.
export const SETTING_GROUPS: [heading: string, names: SettingName[]][] = [
  ...GROUPS,
  [OTHERS, SETTING_NAMES.filter((name) => groupOf(name) === OTHERS)] as [string, SettingName[]],
].filter(([, names]) => names.length > 0)

// The configuration and the process: names that are no settings, and the limit of open files.
import { unknownVariables } from '../../runtime/config.ts'
import { mayOpenTooFewFiles, openFilesLimit } from '../../runtime/open-files-limit.ts'
import { type Config, environmentName, SETTING_NAMES } from '../../runtime/settings.ts'
import { VERSION } from '../../runtime/version.ts'
import { type Check, ok, warning } from './finding.ts'

export const processChecks = (config: Config): Check[] => [
  { name: 'configuration', look: async () => checkConfiguration() },
  { name: 'open files', look: async () => checkOpenFiles(config) },
]

function checkConfiguration() {
  const unknown = unknownVariables()
  if (unknown.length === 0) {
    return ok(
      `Heliograph ${VERSION} on Node.js ${process.versions.node}; all ${SETTING_NAMES.length} settings are valid`,
    )
  }
  const fixes = unknown.map(({ name, nearest }) =>
    nearest ? `rename ${name} to ${nearest}` : `remove ${name} if it was meant for this server`,
  )
  return warning(
    `ignored, because no setting has such a name: ${unknown.map(({ name }) => name).join(', ')}`,
    `${fixes.join(', ')}; "heliograph serve --help" lists all settings`,
  )
}

function checkOpenFiles({ maxConnections }: Config) {
  const limit = openFilesLimit()
  if (!mayOpenTooFewFiles(limit, maxConnections)) return ok(`this process may open ${limit ?? 'any number of'} files`)
  return warning(
    `this process may open ${limit} files, and ${environmentName('maxConnections')} allows ${maxConnections} connections`,
    'raise the limit (ulimit -n, or LimitNOFILE of systemd), or lower the setting',
  )
}

// The sources of a setting, and the message for every mistake in one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StartError } from '../../src/domain/errors.ts'
import {
  type Environment,
  type Flags,
  loadClientConfig,
  loadConfig,
  unknownVariables,
} from '../../src/runtime/config.ts'
import { environmentName, fileName, flagName, SETTING_NAMES, SETTINGS } from '../../src/runtime/settings.ts'

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'heliograph.config.json')
  writeFileSync(file, content)
  return file
}

const NO_FILE = join(tmpdir(), 'no-such-folder', 'heliograph.config.json')
const load = (flags: Flags = {}, environment: Environment = {}, file = NO_FILE) => loadConfig(flags, environment, file)

function refusal(flags: Flags, environment: Environment = {}, file = NO_FILE): string {
  try {
    load(flags, environment, file)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  throw new Error('was accepted')
}

describe('sources of a setting', () => {
  test('without any source every setting has its default, and the config is frozen', () => {
    const config = load()
    for (const name of SETTING_NAMES) expect(config[name], name).toEqual(SETTINGS[name].fallback)
    expect(Object.isFrozen(config)).toBe(true)
  })

  test('a flag overrides the environment, the environment the file, the file the default', () => {
    const file = fileWith('{ "port": 1003, "host": "from-file", "log_level": "warn" }')
    const environment = { HELIOGRAPH_PORT: '1002', HELIOGRAPH_HOST: 'from-environment' }
    expect(load({ port: '1001' }, environment, file)).toMatchObject({
      port: 1001,
      host: 'from-environment',
      logLevel: 'warn',
      dataDir: './data',
    })
  })

  test('an empty environment variable counts as unset, as containers set them', () => {
    expect(load({}, { HELIOGRAPH_PORT: '', HELIOGRAPH_DATABASE_URL: '' })).toMatchObject({
      port: 8080,
      databaseUrl: undefined,
    })
  })

  test('a secret may be in a file that a variable names; one line break at its end is not part of it', () => {
    const read = (content: string) =>
      load({}, { HELIOGRAPH_DATABASE_URL_FILE: fileWith(content) }).databaseUrl?.reveal()
    expect(read('postgres://a:b@c/d\n')).toBe('postgres://a:b@c/d')
    expect(read('postgres://a:b@c/d')).toBe('postgres://a:b@c/d')
    const token = (content: string) =>
      loadClientConfig({}, { HELIOGRAPH_TOKEN_FILE: fileWith(content) }).token?.reveal()
    expect(token('hlk_1\r\n')).toBe('hlk_1')
  })

  test('the file of a secret must exist and be the only source among the variables, and its content is never told', () => {
    const both = { HELIOGRAPH_SMTP_URL: 'smtp://a', HELIOGRAPH_SMTP_URL_FILE: fileWith('smtp://b') }
    expect(refusal({}, both)).toBe('set HELIOGRAPH_SMTP_URL or HELIOGRAPH_SMTP_URL_FILE, not both')
    expect(refusal({}, { HELIOGRAPH_SMTP_URL_FILE: NO_FILE })).toContain(`there is no file ${NO_FILE}`)
    const bad = refusal({}, { HELIOGRAPH_SMTP_URL_FILE: fileWith('geheim') })
    expect(bad).toMatch(/^the content of HELIOGRAPH_SMTP_URL_FILE \(.*\) must be an address/)
    expect(bad).not.toContain('geheim')
    expect(unknownVariables({ HELIOGRAPH_SMTP_URL_FILE: 'x', HELIOGRAPH_TOKEN_FILE: 'x' })).toEqual([])
  })

  test('--config names the configuration file, which must exist', () => {
    expect(load({ config: fileWith('{ "port": 1004 }') }, {}, fileWith('{ "port": 1003 }')).port).toBe(1004)
    expect(refusal({ config: NO_FILE })).toBe(`there is no file ${NO_FILE}, which --config names`)
  })

  test('plans in the file are an object', () => {
    const file = fileWith('{ "plans": { "family": { "devices": 12 } }, "default_plan": "family" }')
    const { plans, defaultPlan } = load({}, {}, file)
    expect(plans.named(defaultPlan).caps.devices).toBe(12)
  })

  test('numbers and lists in the file may be JSON numbers and arrays', () => {
    const file = fileWith('{ "port": 8081, "trust_proxy": ["10.0.0.0/8", "::1"] }')
    expect(load({}, {}, file)).toMatchObject({ port: 8081, trustProxy: ['10.0.0.0/8', '::1/128'] })
    expect(load({ trustProxy: '10.0.0.0/8, ::1' })).toMatchObject({ trustProxy: ['10.0.0.0/8', '::1/128'] })
  })

  test('every setting has one name in each source', () => {
    expect([flagName('dataDir'), environmentName('dataDir'), fileName('dataDir')]).toEqual([
      '--data-dir',
      'HELIOGRAPH_DATA_DIR',
      'data_dir',
    ])
    for (const nameIn of [flagName, environmentName, fileName]) {
      expect(new Set(SETTING_NAMES.map(nameIn)).size).toBe(SETTING_NAMES.length)
    }
  })
})

describe('settings of client commands', () => {
  test('without any source the server is the one on this machine, and there is no token', () => {
    expect(loadClientConfig({}, {})).toMatchObject({ url: 'http://127.0.0.1:8080', token: undefined, warnings: [] })
  })

  test('the address comes from the flag, then the environment; the token from the environment alone', () => {
    const environment = { HELIOGRAPH_URL: 'https://two.example/', HELIOGRAPH_TOKEN: 'hla_x\r\n' }
    expect(loadClientConfig({ url: 'https://one.example' }, environment).url).toBe('https://one.example')
    const config = loadClientConfig({}, environment)
    expect([config.url, config.token?.reveal(), `${config.token}`]).toEqual([
      'https://two.example',
      'hla_x',
      '[secret]',
    ])
  })

  test.each(['https://a:b@one.example', 'https://one.example/?a=1', 'https://one.example/#a'])(
    'the address %s is refused, because paths are appended to it',
    (url) => {
      expect(() => loadClientConfig({ url }, {})).toThrow('without name, password, query and fragment')
    },
  )

  test('a bad setting of the server, such as its port, does not stop a client', () => {
    expect(() => loadClientConfig({}, { HELIOGRAPH_PORT: 'x' })).not.toThrow()
  })

  test('all mistakes are told together, without the values', () => {
    const environment = { HELIOGRAPH_URL: 'https://ada:secret@helio.example', HELIOGRAPH_TOKEN: 'hla_secret hla_other' }
    expect(() => loadClientConfig({}, environment)).toThrow(
      new StartError(
        'HELIOGRAPH_URL must be an http:// or https:// address without name, password, query and fragment; ' +
          'HELIOGRAPH_TOKEN must be one token, without spaces or line breaks',
      ),
    )
  })
})

describe('allow-lists', () => {
  test.each<[string, string]>([
    ['10.0.0.1', '10.0.0.1/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['FD00:0::/8', 'fd00::/8'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:10.0.0.1', '10.0.0.1/32'],
  ])('%s is read as %s by both settings', (text, range) => {
    const config = load({ trustProxy: text, outboundAllow: text })
    expect([config.trustProxy, config.outboundAllow]).toEqual([[range], [range]])
  })

  // Legacy forms of IPv4 addresses, which parsers read in different ways.
  test.each(['10/8', '127/8', '127.1', '0x7f.1', '2130706433', '010.0.0.0/8', '::ffff:0:0/90', '10.0.0.0/33'])(
    '%s is refused for both settings, and the message names each',
    (text) => {
      const message = refusal({ trustProxy: text }, { HELIOGRAPH_OUTBOUND_ALLOW: text })
      for (const name of ['--trust-proxy', 'HELIOGRAPH_OUTBOUND_ALLOW']) {
        expect(message).toContain(
          `${name} must be IP addresses or CIDRs such as 10.0.0.0/8, joined by commas; "${text}"`,
        )
      }
    },
  )
})

describe('invalid settings', () => {
  test.each<[Flags, string]>([
    [{ port: '65536' }, '--port must be a whole number from 0 to 65535'],
    [{ port: '-1' }, '--port must be a whole number from 0 to 65535'],
    [{ port: '80.5' }, '--port must be a whole number from 0 to 65535'],
    [{ port: '0x50' }, '--port must be a whole number from 0 to 65535'],
    [{ port: '' }, '--port must be a whole number from 0 to 65535'],
    [{ attachmentDays: '0' }, '--attachment-days must be a whole number from 1 to 365'],
    [{ host: ' ' }, '--host must be a value, not empty'],
    [{ publicUrl: 'ftp://example.org' }, '--public-url must be an http:// or https:// address'],
    [{ defaultPlan: 'gold' }, '--default-plan must be one of free, paid'],
    [
      { plans: '{"paid": {"devices": 0}}' },
      '--plans must be JSON whose paid.devices is from 1 to 100 or "unlimited", not 0',
    ],
    [{ apnsUrl: 'http://push.example' }, '--apns-url must be an https:// address'],
    [{ appleKeysUrl: 'http://keys.example' }, '--apple-keys-url must be an https:// address, or an http:// address of'],
    [{ appleKeysUrl: 'http://127.0.0.1.evil.example/' }, '--apple-keys-url must be an https:// address'],
    [{ mailFrom: 'Heliograph' }, '--mail-from must be an address such as heliograph@example.org or Heliograph <'],
    [{ mailFrom: 'a@b.c\r\nBcc: d@e.f' }, '--mail-from must be an address such as'],
    [{ trustProxy: '10.0.0.0/8,nonsense' }, '"nonsense" is neither'],
    [{ databaseUrl: 'mysql://me@host/db' }, '--database-url must be an address that begins with postgres://'],
    [{ databaseUrl: 'postgres://me@host:99999/db' }, '/database, with a port of at most 65535'],
    [{ corsOrigins: 'https://example.org/' }, '"https://example.org/" is none'],
    [{ logLevel: 'loud' }, '--log-level must be one of trace, debug, info, warn, error, silent'],
  ])('%j is refused', (flags, message) => {
    expect(refusal(flags)).toContain(message)
  })

  test('every mistake is reported in one message, with the name of the setting in its source', () => {
    const file = fileWith('{ "log_level": "loud", "log_format": "json" }')
    const message = refusal({ port: 'x' }, { HELIOGRAPH_RATE_LIMIT_PER_MINUTE: 'many' }, file)
    expect(message).toContain('--port must be')
    expect(message).toContain('HELIOGRAPH_RATE_LIMIT_PER_MINUTE must be')
    expect(message).toContain(`"log_level" in ${file} must be`)
    expect(message).not.toContain('log_format')
    expect(message.split('\n')).toHaveLength(1)
  })

  test('an unknown setting is reported together with the other mistakes of the file', () => {
    const file = fileWith('{ "prot": 1, "hots": "x", "port": "x" }')
    const message = refusal({}, {}, file)
    expect(message).toContain('"prot"')
    expect(message).toContain('"hots"')
    expect(message).toContain(`"port" in ${file} must be`)
  })

  test.each(['', '[]', 'null', '"text"', '{ "port": 1, }'])('a file that holds %j is refused', (content) => {
    const file = fileWith(content)
    expect(refusal({}, {}, file)).toContain(`${file} must hold one JSON object`)
  })

  test('a file that exists but cannot be read is an error', () => {
    const file = fileWith('{}')
    rmSync(file)
    mkdirSync(file)
    expect(refusal({}, {}, file)).toBe(`${file} cannot be read (EISDIR)`)
  })
})

describe('the URL of the mail server', () => {
  test('can be used but is never printed', () => {
    const URL = 'smtps://robot:hunter2@mail.example:465'
    expect(load({ smtpUrl: URL }).smtpUrl?.reveal()).toBe(URL)
    expect(JSON.stringify(load({ smtpUrl: URL }))).not.toContain('hunter2')
  })

  test.each([
    'https://robot:hunter2@mail.example',
    'robot:hunter2@mail.example',
    'smtp://',
    'smtp://robot:hunter2%zz@mail.example',
    'smtp://robot:hunter2#x@mail.example',
    'smtp://robot:hunter2/x@mail.example',
    'smtp://robot:hunter2@mail.example?tls.rejectUnauthorized=false',
  ])('is not repeated in the message when it is invalid: %s', (smtpUrl) => {
    const message = refusal({}, { HELIOGRAPH_SMTP_URL: smtpUrl })
    expect(message).toMatch(/^HELIOGRAPH_SMTP_URL must be an address/)
    expect(message).not.toContain('hunter2')
  })
})

describe('the URL of the database', () => {
  const URL = 'postgres://me:hunter2@db.example:5432/heliograph'

  test('can be used but is never printed', () => {
    const { databaseUrl } = load({ databaseUrl: URL })
    expect(databaseUrl?.reveal()).toBe(URL)
    expect(JSON.stringify(load({ databaseUrl: URL }))).not.toContain('hunter2')
  })

  test.each([
    'mysql://me:hunter2@db.example/heliograph',
    'me:hunter2@db.example',
    'postgres://me:hunter2%zz@db.example/heliograph',
  ])('is not repeated in the message when it is invalid: %s', (databaseUrl) => {
    const message = refusal({}, { HELIOGRAPH_DATABASE_URL: databaseUrl })
    expect(message).toContain('HELIOGRAPH_DATABASE_URL must be')
    expect(message).not.toContain('hunter2')
  })
})

describe('variables that are no settings', () => {
  test.each([
    ['HELIOGRAPH_PROT', 'HELIOGRAPH_PORT'],
    ['HELIOGRAPH_DATADIR', 'HELIOGRAPH_DATA_DIR'],
    ['HELIOGRAPH_TOKENS', 'HELIOGRAPH_TOKEN'],
    ['HELIOGRAPH_FOO', undefined],
  ])('%s probably means %s', (name, nearest) => {
    const environment = { [name]: '1', HELIOGRAPH_HOST: 'x', HELIOGRAPH_URL: 'y', OTHER: 'z' }
    expect(unknownVariables(environment)).toEqual([{ name, nearest }])
  })
})

// Settings that point the program to a fake APNs: its URL, its provider key, and its certificate as trusted.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../../src/runtime/config.ts'
import type { FakeApns } from '../fakes/fake-apns.ts'
import { emptyFolder } from '../heliograph-process.ts'

export function apnsSettings(apns: FakeApns): Environment {
  const folder = emptyFolder()
  const [keyFile, caFile] = [join(folder, 'key.p8'), join(folder, 'ca.pem')]
  writeFileSync(keyFile, apns.provider.key)
  writeFileSync(caFile, apns.ca)
  return {
    HELIOGRAPH_APNS_KEY_FILE: keyFile,
    HELIOGRAPH_APNS_KEY_ID: apns.provider.keyId,
    HELIOGRAPH_APNS_TEAM_ID: apns.provider.teamId,
    HELIOGRAPH_APNS_TOPIC: 'org.example.heliograph',
    HELIOGRAPH_APNS_URL: apns.url,
    NODE_EXTRA_CA_CERTS: caFile,
  }
}

// A self-signed certificate for local servers, written as DER by hand, so that tests do not need openssl.
// Plain JavaScript, because the benchmarks run it without a build; its types are in self-signed.d.mts.
import { generateKeyPairSync, randomInt, sign } from 'node:crypto'

export function selfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const serial = randomInt(1, 2 ** 47)
  // A unique name: two certificates with the same name cannot both be trusted.
  const name = distinguishedName(`localhost ${serial}`)
  const toBeSigned = sequence(
    tagged(0xa0, integer(2)),
    integer(serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(SUBJECT_ALT_NAME, BASIC_CONSTRAINTS)),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, bitString(signature))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: toPem(certificate) }
}

function toPem(der) {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function tagged(tag, ...contents) {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), derLength(content.length), content])
}

function derLength(length) {
  if (length < 0x80) return Buffer.from([length])
  const bytes = bigEndian(length)
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

function bigEndian(value) {
  const digits = value.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

function sequence(...contents) {
  return tagged(0x30, ...contents)
}

// The leading zero byte keeps a number with the first bit set from being read as negative.
function integer(value) {
  const bytes = bigEndian(value)
  return tagged(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

function objectId(hex) {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function utcTime(text) {
  return tagged(0x17, Buffer.from(text))
}

function bitString(content) {
  return tagged(0x03, Buffer.from([0]), content)
}

function distinguishedName(commonName) {
  return sequence(tagged(0x31, sequence(objectId('550403'), tagged(0x0c, Buffer.from(commonName)))))
}

function extension(idHex, critical, value) {
  const flag = critical ? [tagged(0x01, Buffer.from([0xff]))] : []
  return sequence(objectId(idHex), ...flag, tagged(0x04, value))
}

const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'))
const SUBJECT_ALT_NAME = extension(
  '551d11',
  false,
  sequence(tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1]))),
)
// The certificate signs itself, so it must be marked as a certificate authority.
const BASIC_CONSTRAINTS = extension('551d13', true, sequence(tagged(0x01, Buffer.from([0xff]))))

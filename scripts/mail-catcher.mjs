// A mail server for local experiments: accepts every mail, delivers none, and prints them.
import { SMTPServer } from 'smtp-server'

const PORT = Number(process.argv[2] ?? 2525)

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData(stream, { envelope }, done) {
    const chunks = []
    stream.on('data', (chunk) => chunks.push(chunk))
    stream.on('end', () => {
      const recipients = envelope.rcptTo.map(({ address }) => address).join(', ')
      console.log(`──── to ${recipients}\n${readable(Buffer.concat(chunks))}`)
      done()
    })
  },
})

// Decodes quoted-printable, so that links are printed whole and can be clicked.
function readable(mail) {
  const text = mail.toString('latin1')
  if (!/^content-transfer-encoding: quoted-printable/im.test(text)) return mail.toString()
  const unfolded = text.replace(/=\r\n/g, '')
  const bytes = unfolded.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

server.listen(PORT, '127.0.0.1', () => console.log(`catching mail on smtp://127.0.0.1:${PORT}`))

// Exchanges the one-time code after the # for a token and shows it.
const status = document.getElementById('status')

async function signIn(code) {
  status.textContent = 'Signing in…'
  const answer = await fetch('/auth/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const body = await answer.json()
  if (!answer.ok) {
    status.textContent = body.detail
    return
  }
  status.textContent = 'You are signed in.'
  document.getElementById('token').textContent = body.token
  document.getElementById('example').textContent =
    `curl -H 'Authorization: Bearer ${body.token}' ${location.origin}/auth/me`
  document.getElementById('signed-in').hidden = false
  document.getElementById('how').hidden = true
  document.getElementById('copy').addEventListener('click', () => navigator.clipboard.writeText(body.token))
}

const code = new URLSearchParams(location.hash.slice(1)).get('signin')
if (code) {
  // The code is used up now; it need not stand in the history.
  history.replaceState(null, '', location.pathname)
  signIn(code).catch(() => {
    status.textContent = 'The server cannot be reached. Try the link again.'
  })
}

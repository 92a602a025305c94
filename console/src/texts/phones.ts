// Texts of the page that adds a phone, a computer or a terminal.
import { PHONE_ABILITIES } from '../../../src/domain/apps/abilities.ts'
import { inLanguage } from '../language.ts'
import type { PictureStep } from '../phones/step-picture.tsx'
import { PHONES } from './german/phones.ts'

export const ENGLISH = {
  title: 'Add a phone',
  open: 'Add a phone',
  intro: 'Choose what should show your notifications.',
  back: 'All devices',
  choose: 'Kind of device',
  kinds: {
    iphone: { name: 'iPhone or iPad', text: 'The Bark app, or this console on the home screen' },
    android: { name: 'Android', text: 'The ntfy app, the Gotify app, or this console' },
    computer: { name: 'Computer', text: 'This console in a browser' },
    terminal: { name: 'Terminal', text: 'The command heliograph' },
  },
  chooseApp: 'App',
  apps: {
    ntfy: { name: 'ntfy app', text: 'Buttons answer from the notification. Banners vanish when read elsewhere.' },
    gotify: { name: 'Gotify app', text: 'Shows messages; buttons open a page.' },
    bark: { name: 'Bark app', text: 'Real pushes, critical alerts. A tap opens a page to answer.' },
    console: { name: 'This console', text: 'No app from a store. Needs HTTPS.' },
  },
  compare: 'What each app can do, and who else sees a message',
  abilities: PHONE_ABILITIES,
  bark: {
    suggestedName: 'iPhone with Bark',
    way: 'How pushes get there',
    ways: { server: 'Through a bark-server', direct: 'Directly' },
    wayTexts: {
      server:
        'Install Bark from the App Store and paste the address that it shows. The operator of that server sees every message, unless it is encrypted.',
      direct: 'The phone registers with this server. The operator needs the key file of the Bark app for that.',
    },
    address: 'Address in the Bark app, such as https://api.day.app/…/',
    encryption: 'Encryption',
    encryptions: { on: 'Encrypt for the app', off: 'Do not encrypt' },
    create: 'Add the phone',
    server: 'Server for the Bark app',
    qr: 'QR code with the server',
    key: 'Encryption key',
    keyText: 'In the Bark app: Settings, Encryption. Choose AES256 and GCM, and enter the key. It is shown only now.',
    once: 'Scan the code in the Bark app (the cloud at the top, then +) within ten minutes. The address is for one phone.',
    waiting: 'This turns green when the phone is connected.',
    through: (host: string) => `Pushes pass through ${host}.`,
    pending: (from: string) => `Another phone (${from}) asks to take its place.`,
    allow: 'Allow it',
    notConnected: 'Nothing is pushed to it now.',
    retry: 'Try again',
  },
  name: 'Name of the phone',
  suggestedName: { ntfy: 'Phone with ntfy', gotify: 'Phone with Gotify' },
  create: 'Show address and password',
  address: 'Address',
  user: 'User name',
  password: 'Password',
  topic: 'Topic',
  once: 'The password is shown only now. It belongs to this phone alone: to revoke it, remove the device.',
  qr: 'QR code with address, user name and password as text',
  qrHint: 'Scanned with the camera of the phone, it shows these lines as text to copy.',
  scan: {
    qr: 'QR code that sets the ntfy app up',
    steps: [
      'Install “ntfy” from F-Droid or Google Play, if the phone does not have it.',
      'Scan the code with the camera and open the page.',
      'Tap “Subscribe in the ntfy app”, and allow notifications.',
    ],
    typed: 'Type it in instead',
  },
  openInApp: {
    lead: 'Get the notifications of your account in the ntfy app of this phone.',
    open: 'Subscribe in the ntfy app',
    install: 'Nothing happens? Install the app first, then come back:',
    warning: 'This page contains a password: show it to nobody.',
  },
  stepsTitle: 'On the phone',
  steps: {
    ntfy: (topic: string) => [
      'Install “ntfy” from F-Droid or Google Play and open it.',
      `Tap +, type the topic “${topic}”, tick “Use another server” and enter the address.`,
      'Tap Subscribe. The app asks for the user name and the password.',
    ],
    gotify: [
      'Install “Gotify” from F-Droid or Google Play and open it.',
      'Enter the address and tap “Check URL”.',
      'Enter the user name and the password, and tap “Login”.',
      'Allow notifications and unrestricted battery use when the app asks.',
    ],
    iphone: [
      {
        picture: 'open',
        text: 'Scan the code with the camera. Safari opens, signed in; copy the link that it offers.',
      },
      { picture: 'share', text: 'Tap Share, then “Add to Home Screen”.' },
      { picture: 'app', text: 'Open Heliograph from the home screen and paste the link.' },
      { picture: 'bell', text: 'Tap “Add this browser” and allow notifications.' },
    ] as PictureStep[],
    android: [
      { picture: 'open', text: 'Scan the code with the camera. The browser opens, signed in.' },
      { picture: 'bell', text: 'Tap “Add this browser” and allow notifications.' },
      { picture: 'menu', text: 'For an icon: open the menu, tap “Install app” or “Add to Home screen”.' },
      { picture: 'app', text: 'Open Heliograph from the home screen.' },
    ] as PictureStep[],
  },
  consoleAddress: 'Address of this console',
  signInQr: 'QR code with a sign-in link',
  signInLink: 'Sign-in link',
  codeText: 'Scan the code with the camera of the phone. It signs in once, to your account: show it to nobody else.',
  codeTime: 'Valid for',
  codeExpired: 'The code has expired.',
  codeUsed: 'The code has been used.',
  newCode: 'New code',
  showAnyway: 'Show the code anyway',
  fixes: 'Give the server an HTTPS address, in one of these ways, and start it with that address:',
  httpsCommands: (port: string) => [
    {
      name: 'Caddy, for a server with a public name',
      command: `caddy reverse-proxy --from push.example.org --to 127.0.0.1:${port}`,
    },
    { name: 'Tailscale, for your own devices only', command: `tailscale serve --bg ${port}` },
  ],
  httpsStart: 'Then, with the address of either',
  waitingSignIn: 'This changes by itself as soon as somebody signs in with the code.',
  someBrowser: 'A browser',
  signedIn: (name: string) => `${name} is signed in`,
  signedInText: 'Press “Add this browser” there, and allow notifications.',
  install: {
    title: 'Put Heliograph on the home screen',
    text: 'On an iPhone or iPad, only apps on the home screen receive notifications. The app there has a session of its own: copy this link for it first.',
    steps: [
      { picture: 'share', text: 'Tap Share, then “Add to Home Screen”.' },
      { picture: 'app', text: 'Open Heliograph from the home screen and paste the link.' },
      { picture: 'bell', text: 'Tap “Add this browser” and allow notifications.' },
    ] as PictureStep[],
  },
  computerText: 'Open this address in the browser of the computer, sign in, and add that browser under Devices.',
  computerHere: 'To use the browser in front of you, go back to the devices and choose “Add this browser”.',
  terminalText:
    'The first command installs the command line from this server; it needs Node.js. The second signs in once, with a link of “heliograph signin” or with a token. The third prints every notification as it arrives.',
  waiting: 'Waiting for the phone…',
  waitingText: 'This changes by itself as soon as the app has connected.',
  connected: (name: string) => `“${name}” is connected`,
  connectedText: 'It receives your notifications from now on.',
  test: 'Send a test',
  testSent: 'A test is on its way.',
  testTitle: 'It works',
  testBody: 'This is how your notifications arrive.',
  done: 'Done',
  // What an address means for what it is given to.
  loopback: {
    app: (url: string) => `A phone cannot reach ${url}: that address means the phone itself.`,
    browser: (url: string) => `A phone cannot reach ${url}: that address means the phone itself.`,
    program: (url: string) =>
      `${url} works for programs on the machine of this server only, and not in a container on it. Elsewhere it means that other machine.`,
    person: (url: string) => `Others cannot open ${url}: that address means their own device.`,
    internet: (url: string) =>
      `This program runs elsewhere and cannot reach ${url}: that address means its own machine.`,
  },
  plainHttp: {
    app: 'The address begins with http://, so everything, the password included, crosses the network unencrypted. Do this only in your own network.',
    browser:
      'Browsers on phones allow notifications only over HTTPS. At this http:// address the console opens on the phone, but it cannot receive. Use one of the apps instead, or put the server behind HTTPS first.',
    program: undefined,
    person: undefined,
    internet:
      'This program runs in the internet. It needs an https:// address that is reached from there, and not one of your own network.',
  },
  askOperator: 'Ask the person who runs this server for the address by which other devices reach it.',
  startWith: {
    command: 'The server listens on its own machine only. Start it with:',
    checkout: 'The server listens on its own machine only. Start it with:',
    container: 'The port of the container is published on its own machine only. Publish it for others:',
    systemd:
      'The server listens on its own machine only. Add this to /etc/heliograph/heliograph.env, then restart the unit heliograph-serve@PORT:',
  },
  startLabel: 'Start the server for other devices',
  openAt: (isReady: boolean): string =>
    isReady ? 'Other devices in your network reach it here. Open this page there:' : 'Then open this page at:',
  openAtHost: 'Then open this page at the address of the machine, or set HELIOGRAPH_PUBLIC_URL.',
}

export const PHONE_TEXTS = inLanguage({ en: ENGLISH, de: PHONES })

// Preloaded into a server whose memory is measured (`node --expose-gc --import`): collects at SIGUSR2. Otherwise the figure depends on
// when V8 collected last.
process.on('SIGUSR2', () => {
  globalThis.gc()
  globalThis.gc()
})

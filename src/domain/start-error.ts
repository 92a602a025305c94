// The start failed; the message tells the operator in one line what to do.
export class StartError extends Error {}

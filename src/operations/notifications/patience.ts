// How long a sender waits for the first attempt of its pushes. Some clients give up after four seconds.
export const PUSH_PATIENCE_MS = 3000

// A start that cannot succeed, told to the operator in one line that says what to do.
export class StartError extends Error {}

/**
 * What went wrong, as a word a program can test. The CLI maps each to an exit code (DESIGN: errors):
 * usage and input errors are 2, a machine that cannot measure is 3, a failed verification or gate is 1.
 */
export type ErrorCode =
  | 'bad-usage'
  | 'bad-capture'
  | 'unsupported-version'
  | 'bad-input'
  | 'query-misuse'
  | 'missing-feature'
  | 'gl-unavailable'
  | 'cannot-measure'
  | 'context-lost'
  | 'verification-failed'
  | 'interrupted'
  | 'output-failed';

/**
 * The only error the library throws on purpose: one sentence on one line, where it happened, and what to do about it. Line
 * breaks of what is quoted in it become blanks.
 */
export class GpuprofError extends Error {
  override readonly name = 'GpuprofError';
  readonly code: ErrorCode;
  /** What the user can do, as a sentence or a command; shown after the message. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message.replace(/\s*[\r\n]+\s*/g, ' '), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** An error over what a file holds, with the file's name in front where it is not named: scripts work on many. */
export function aboutFile(error: unknown, file: string): unknown {
  const isAboutIt = error instanceof GpuprofError && (error.code === 'bad-capture' || error.code === 'bad-input');
  if (!isAboutIt || error.message.includes(file)) return error;
  return new GpuprofError(error.code, `${file}: ${error.message}`, { hint: error.hint, cause: error });
}

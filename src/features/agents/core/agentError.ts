export type AgentErrorReason =
  /** A field of the call is missing, of another kind or out of its bounds. */
  | 'bad-input'
  /** Nothing has that name. */
  | 'not-found'
  /** A path or a link leads out of the folder that the server was started for. */
  | 'outside'
  /** A proposal cannot be kept: too large, too many, or of a forbidden kind. */
  | 'refused'
  /** The person’s settings do not allow it. */
  | 'not-allowed';

/** A call of an agent’s tool that cannot be answered: what failed, and what to do instead. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly reason: AgentErrorReason;

  constructor(reason: AgentErrorReason, what: string, remedy: string) {
    super(`${what} ${remedy}`.trim());
    this.reason = reason;
  }
}

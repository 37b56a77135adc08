/** The exit codes of the process; documented in `genenv --help`. */
export const exitCode = {
  done: 0,
  /** The run failed, or stopped by itself before its end. */
  failed: 1,
  /** Bad input: nothing was touched. */
  badInput: 2,
  /** Paused by Ctrl-C, as shells write a death by SIGINT. */
  paused: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

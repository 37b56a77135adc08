/** The system's code (`ENOSPC`, `ECONNREFUSED`, …) of something thrown; '' when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

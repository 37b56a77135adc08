import type { Dict } from './python/value.ts';

/** A decoded call. A null key among the parameters stands for arguments without a name. */
export interface Call {
  name: string;
  parameters: Dict;
}

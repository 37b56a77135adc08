/** File names among overrides, which are typed in another folder than that of the experiment. */
import { fileFields } from './namedFiles.ts';
import type { Override } from '../overrides.ts';
import { isObject } from '../resolve.ts';

/** From a file's name as it was typed to its name in the experiment. @param field `domain.seeds`, of several domains too */
export type AsSeen = (name: string, field: string) => string;

/** The same override with each file that it names, alone or within an object, as the experiment sees it. */
export const withFiles = (override: Override, asSeen: AsSeen): Override => ({
  ...override,
  value: seenIn(override.path, override.value, asSeen),
});

function seenIn(path: readonly string[], value: unknown, asSeen: AsSeen): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => seenIn(path, inner, asSeen));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, seenIn([...path, name], inner, asSeen)]),
    );
  }
  const [root = '', ...rest] = path;
  const field = [root === 'domains' ? 'domain' : root, ...rest].join('.');
  return typeof value === 'string' && value !== '' && fileFields.includes(field) ? asSeen(value, field) : value;
}

/** Where settings stand that come from several places: a file, and values on top of it. */
import { isMethod, methodFields } from '../named/methods.ts';
import { placeOfOverride, type Override } from '../overrides.ts';
import type { Place } from './problem.ts';
import { at, isObject, type JsonObject } from '../resolve.ts';
import type { Path } from '../text/jsonText.ts';

/** The places of a file's own values, and of the names before them. */
export interface Places {
  placeOf: (path: Path) => Place;
  placeOfName: (path: Path) => Place;
}

/** The place of the override that decides a field; null where the file or its preset decides it. */
export function overriddenAt(path: Path, written: JsonObject, overrides: readonly Override[]): Place | null {
  const sets = overrides.findLast((one) => decides(one, path));
  const names = overrides.findLast((one) => decidesByMethod(one, path));
  const reachesInto = overrides.findLast((one) => path.every((part, i) => one.path[i] === part));
  const last = sets ?? names ?? (at(written, path) === undefined ? reachesInto : undefined);
  return last === undefined ? null : (last.place ?? placeOfOverride(last.text));
}

/** Objects are merged: one decides the fields that it has. Anything else replaces all that stood there. */
function decides({ path: to, value }: Override, path: Path): boolean {
  if (!to.every((part, i) => path[i] === part)) return false;
  let inner = value;
  for (const part of path.slice(to.length)) {
    if (!isObject(inner)) return true;
    inner = at(inner, [part]);
    if (inner === undefined) return false;
  }
  return true;
}

function decidesByMethod({ path: to, value }: Override, path: Path): boolean {
  const decided = (field: string): boolean => field.split('.').every((part, i) => path[i] === part);
  return to.join('.') === 'method' && isMethod(value) && methodFields.some(decided);
}

/** A file with values on top of it. */
export function placesOver(file: Places, written: JsonObject, overrides: readonly Override[]): Places {
  const over = (path: Path): Place | null => overriddenAt(path, written, overrides);
  return {
    placeOf: (path) => over(path) ?? file.placeOf(path),
    placeOfName: (path) => over(path) ?? file.placeOfName(path),
  };
}

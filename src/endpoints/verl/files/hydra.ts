/** Hydra overrides (`key=value`) as words of a command line. */
import { keyOf, overrideWords } from '../../../shared/experiment/endpoints/verlOverrides.ts';

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: number };
export type Settings = Readonly<Record<string, Value>>;

/** Our settings, then a person's, which win: of a key that both set ours is left out. @param more with blanks between */
export function overridesOf(settings: Settings, more: string): string[] {
  const theirs = overrideWords(more);
  const set = new Set(theirs.map(keyOf));
  const ours = Object.entries(settings).filter(([key]) => !set.has(key));
  return [...ours.map(([key, value]) => `${key}=${literal(value)}`), ...theirs];
}

function literal(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return text(value);
  if (isList(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, number]) => `${key}:${number}`);
  return `{${entries.join(',')}}`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Quoted where Hydra's grammar would read more than a word. */
function text(value: string): string {
  const plain = /^[\w./:@-]+$/.test(value) && !/^(null|true|false|[\d.+-].*)$/i.test(value);
  return plain ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

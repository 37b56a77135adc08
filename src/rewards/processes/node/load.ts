/** A user's file as Node runs it: types are blanked out in place, so that lines and columns stay. */
import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { identityMap } from './identityMap.ts';
import { withoutMark } from '../../../shared/text/byteOrderMark.ts';

export type RewardFunction = (task: unknown, trace: unknown) => unknown;

/** The files that a relative import may mean, without an ending or with that of compiled code. */
const guesses = (url: string): string[] => [
  `${url}.ts`,
  `${url}.js`,
  url.replace(/\.js$/, '.ts'),
  `${url}/index.ts`,
  `${url}/index.js`,
];

/**
 * The module of a file.
 * @param files takes the paths of everything of a person's own that is loaded
 * @param debugged whether a debugger is to show the files
 */
export async function loadModule(file: string, files: Set<string>, debugged: boolean): Promise<unknown> {
  const entry = pathToFileURL(file).href;
  const own = packageOf(entry);
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^\.\.?\//.test(specifier) || context.parentURL === undefined) throw error;
        const url = new URL(specifier, context.parentURL).href;
        const found = guesses(url).find((guess) => existsSync(fileURLToPath(guess)));
        if (found === undefined) throw error;
        return next(found, context);
      }
    },
    load(url, context, next) {
      if (!url.startsWith('file:') || packageOf(url) !== own) return next(url, context);
      const path = fileURLToPath(url);
      files.add(path);
      // Node would decode it with replacement characters.
      if (!isUtf8(readFileSync(path))) throw new Error(`${path} is not UTF-8. Save it as UTF-8.`);
      if (!hasTypes(path)) return next(url, context);
      const source = withoutTypes(path);
      return { format: 'module', source: debugged ? source + identityMap(path, source) : source, shortCircuit: true };
    },
  });
  return import(entry);
}

/**
 * The folder of the installed package that a file belongs to, '' for none. A domain that ships lies in one where the
 * command line was installed from a registry: Node itself strips no types there.
 */
const packageOf = (url: string): string => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0] ?? '';

/** @throws Error where the module exports none */
export function rewardOf(module: unknown): RewardFunction {
  const found = functionOf(module);
  if (found === null) throw new Error('The file exports no function “reward”.');
  return found;
}

type NamedFunction = (...given: unknown[]) => unknown;

/** Domain exports that may also be a value: they are called like a function that returns it. */
const settings: readonly string[] = ['openenv', 'recipe'];

/** The functions that a domain's module exports, by name: one by one, or as its default. */
export function functionsOf(module: unknown): Map<string, NamedFunction> {
  const found = new Map<string, NamedFunction>();
  for (const holder of [fieldOf(module, 'default'), module]) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const name of Object.keys(holder)) {
      const value = fieldOf(holder, name);
      if (isNamed(value) && name !== 'default') found.set(name, value);
      else if (settings.includes(name)) found.set(name, () => value);
    }
  }
  return found;
}

const isNamed = (value: unknown): value is NamedFunction => typeof value === 'function';

const hasTypes = (path: string): boolean => /\.m?ts$/.test(path);

/** The source text of a file, without a byte order mark. */
export const sourceOf = (path: string): string =>
  withoutMark(hasTypes(path) ? withoutTypes(path) : readFileSync(path, 'utf8'));

/** Syntax errors name only the line; the file's name is prepended. */
function withoutTypes(path: string): string {
  try {
    return stripTypeScriptTypes(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && error.stack?.startsWith(':') === true) error.stack = `${path}${error.stack}`;
    throw error;
  }
}

function functionOf(module: unknown): RewardFunction | null {
  for (const holder of [module, fieldOf(module, 'default')]) {
    const named = fieldOf(holder, 'reward');
    if (isFunction(named)) return named;
    if (holder !== module && isFunction(holder)) return holder;
  }
  return null;
}

const isFunction = (value: unknown): value is RewardFunction => typeof value === 'function';

const fieldOf = (value: unknown, name: string): unknown =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' ? Reflect.get(value, name) : undefined;

/** Where spans of a runner's runs go: as its editor's settings say, else by the standard variables of its environment. */
import type { Keys } from '../../../launch/access/keys.ts';
import {
  targetOfEnvironment,
  targetOfSettings,
  type TracesSettings,
  type TracesTarget,
} from '../../../launch/traced/target.ts';
import { defined } from '../../../shared/defined.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const names = { url: 'GENENV_TRACES_URL', key: 'GENENV_TRACES_KEY', content: 'GENENV_TRACES_CONTENT' };

/** Variables by which an editor tells its settings to its runner; they hold no key, only its name. */
export const variablesOf = ({ url, key, content }: TracesSettings): NodeJS.ProcessEnv =>
  url === ''
    ? {}
    : { [names.url]: url, [names.content]: String(content), ...defined({ [names.key]: key ?? undefined }) };

/** @returns null where no editor has told any */
export function settingsTold(environment: Environment): TracesSettings | null {
  const url = environment[names.url];
  if (url === undefined) return null;
  return { url, key: environment[names.key] ?? null, content: environment[names.content] === 'true' };
}

export function targetOfRunner(environment: Environment, keys: Keys): TracesTarget | null {
  const told = settingsTold(environment);
  return told === null ? targetOfEnvironment(environment) : targetOfSettings(told, keys);
}

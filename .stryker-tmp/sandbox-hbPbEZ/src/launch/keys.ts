/** Where keys come from. They never reach a file, a journal, a log or a report. */
import { keyReferencePattern } from '../shared/experiment/keyField.ts';

/** Why there is no key: `missing`, or `unavailable` where this kind of place does not exist. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly reason: 'missing' | 'unavailable';
  readonly remedy: string;

  constructor(reason: KeyError['reason'], message: string, remedy: string) {
    super(`${message} ${remedy}`);
    this.reason = reason;
    this.remedy = remedy;
  }

  static is(error: unknown): error is KeyError {
    return error instanceof KeyError;
  }
}

export interface Keys {
  /** The key that a reference (`${env:NAME}`, `${secret:NAME}`) stands for. @throws KeyError */
  find(reference: string): Promise<string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface KeyReference {
  place: 'env' | 'secret';
  name: string;
}

/** @throws KeyError for what is no reference: then it may be a key itself, and is not repeated */
export function keyReference(reference: string): KeyReference {
  const [, place, name] = keyReferencePattern.exec(reference) ?? [];
  if (name !== undefined && (place === 'env' || place === 'secret')) return { place, name };
  throw new KeyError('missing', 'An endpoint names no place for its key.', 'Write ${env:NAME} or ${secret:NAME}.');
}

/** A key from an environment variable. @throws KeyError */
export function environmentKey(name: string, environment: Environment): string {
  const key = environment[name];
  if (key !== undefined && key !== '') return key;
  throw new KeyError('missing', `The environment variable ${name} holds no key.`, `Set ${name} and start again.`);
}

/** On a command line: secrets are environment variables, too, because there is no editor to keep them. */
export function environmentKeys(environment: Environment): Keys {
  return {
    find: (reference) =>
      new Promise((resolve) => {
        const { place, name } = keyReference(reference);
        const variable = place === 'env' ? name : `GENENV_SECRET_${name.toUpperCase().replaceAll(/\W/g, '_')}`;
        resolve(environmentKey(variable, environment));
      }),
  };
}

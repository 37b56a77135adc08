/** Where keys come from, and where they may go. They never reach a file, a journal, a log or a report. */
import * as l10n from '@vscode/l10n';
import { keyReferencePattern } from '../../shared/experiment/endpoints/keyField.ts';
import { shellCommand } from '../../shared/text/shellCommand.ts';
import { originOf } from '../../shared/experiment/endpoints/origins.ts';
import { covers, staysHere, writtenPermit, type Permit } from './permit.ts';
import { RemediedError } from '../../shared/reasonedError.ts';

/**
 * Why there is no key: `missing`; `unavailable` where this kind of place does not exist; `not-allowed` without the
 * user's consent.
 */
export class KeyError extends RemediedError<'missing' | 'unavailable' | 'not-allowed'> {
  override readonly name = 'KeyError';

  constructor(reason: KeyError['reason'], message: string, remedy: string) {
    super(reason, `${message} ${remedy}`, remedy);
  }
}

export interface Keys {
  /** The key of a reference (`${env:NAME}`, `${secret:NAME}`), to be sent to `url`. @throws KeyError */
  find(reference: string, url: string): Promise<string>;
  /** Returns where requests without a key may go to `url`. @throws KeyError `not-allowed` */
  reach(url: string): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/** Credentials of a client that sends to `url`. Nothing leaves before a person has allowed it, with a key or without. */
export function proofFor(
  keys: Keys,
  { key, url }: { key: string | null; url: string },
  header: (key: string) => Headers,
): () => Promise<Headers> {
  return async () => {
    if (key !== null) return header(await keys.find(key, url));
    await keys.reach(url);
    return {};
  };
}

/** A key with its own scheme (`Basic …`) is sent unchanged. */
export const authorization = (key: string): Headers => ({
  authorization: /^(?:Basic|Bearer) /.test(key) ? key : `Bearer ${key}`,
});

type Environment = Readonly<Record<string, string | undefined>>;

interface KeyReference {
  place: 'env' | 'secret';
  name: string;
}

/** @throws KeyError for text that is no reference: it may be a key itself, and is not repeated */
export function keyReference(reference: string): KeyReference {
  const [, place, name] = keyReferencePattern.exec(reference) ?? [];
  if (name !== undefined && (place === 'env' || place === 'secret')) return { place, name };
  throw new KeyError(
    'missing',
    l10n.t('An endpoint names no place for its key.'),
    'Write ${env:NAME} or ${secret:NAME}.',
  );
}

/** A key from an environment variable. @throws KeyError */
export function environmentKey(name: string, environment: Environment): string {
  const key = environment[name];
  if (key !== undefined && key !== '') return key;
  throw new KeyError(
    'missing',
    l10n.t('The environment variable {0} holds no key.', name),
    l10n.t('Set {0} and start again.', name),
  );
}

/** On a command line: secrets are environment variables too, because no editor keeps them. */
const variableOf = ({ place, name }: KeyReference): string =>
  place === 'env' ? name : `GENENV_SECRET_${name.toUpperCase().replaceAll(/\W/g, '_')}`;

/** @param permits of a person; requests that stay on this machine and carry no key need none */
export function environmentKeys(environment: Environment, permits: readonly Permit[] = []): Keys {
  const demand = (permit: Permit): void => {
    if (staysHere(permit) || covers(permits, permit)) return;
    throw notAllowed(permit);
  };
  return {
    find: (reference, url) =>
      new Promise((resolve) => {
        const wanted = keyReference(reference);
        demand({ key: reference, origin: originOf(url) });
        resolve(environmentKey(variableOf(wanted), environment));
      }),
    reach: (url) =>
      new Promise((resolve) => {
        demand({ key: null, origin: originOf(url) });
        resolve();
      }),
  };
}

function notAllowed(permit: Permit): KeyError {
  const { key, origin } = permit;
  const what =
    key === null
      ? l10n.t('Requests to {0} are not allowed yet.', origin)
      : l10n.t('Sending {0} to {1} is not allowed yet.', key, origin);
  // A host name may contain shell syntax.
  const command = shellCommand(['genenv', 'allow', writtenPermit(permit)], process.platform === 'win32');
  return new KeyError('not-allowed', what, l10n.t('If you trust this address, run: {0}', command));
}

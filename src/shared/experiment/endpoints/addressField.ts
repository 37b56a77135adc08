/** Fields that hold addresses of servers. They are copied into runs, journals and reports, so they never hold a secret. */
import * as l10n from '@vscode/l10n';

/** Whether a field holds an address. */
export const isAddressField = (field: string): boolean =>
  /^(?:endpoints\.\w+\.(?:url|sampler|tokenizer)|generation\.embeddingUrl)$/.test(field);

/** Names of parameters that services take keys by. */
const secretParameter =
  /^(?:(?:x-)?(?:api|access|auth|secret|subscription|private)[-_]?(?:key|token)|key|token|auth|authorization|password|passwd|pwd|secret|sig|signature|credential|x-amz-\w+|x-goog-\w+)$/i;

/** Addresses and their separators: blanks and commas. */
const pieces = (field: string): string[] => field.split(/([\s,]+)/);

/** A secret in an address, in words that do not repeat it; null for none. */
export function secretIn(field: string): string | null {
  for (const piece of pieces(field)) {
    if (!URL.canParse(piece)) continue;
    const { username, password, protocol, searchParams } = new URL(piece);
    if (password !== '') return 'a password';
    if (username !== '' && protocol !== 'ssh:') return l10n.t('a user name');
    const parameter = [...searchParams.keys()].find((name) => secretParameter.test(name));
    if (parameter !== undefined) return l10n.t('the parameter "{0}"', parameter);
  }
  return null;
}

/** The addresses alone: of runs that were made before such addresses were refused. */
export function withoutSecret(field: string): string {
  if (secretIn(field) === null) return field;
  const clean = (piece: string): string => {
    if (secretIn(piece) === null) return piece;
    const url = new URL(piece);
    url.password = '';
    if (url.protocol !== 'ssh:') url.username = '';
    for (const name of [...url.searchParams.keys()]) if (secretParameter.test(name)) url.searchParams.delete(name);
    return url.href;
  };
  return pieces(field).map(clean).join('');
}

/** The remedy. */
export const keyBeside = (): string =>
  l10n.t(
    'Give the address alone, and where its key is as "key": ${env:NAME} or ${secret:NAME}. A key that begins with "Basic " is sent as user name and password.',
  );

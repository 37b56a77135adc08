/** Answers that point elsewhere: requests do not follow them, as a key would go along. */
import * as l10n from '@vscode/l10n';

/** A request that was made. */
export interface Asked {
  /** The client's address, and the path below it with its query. */
  url: string;
  path: string;
  /** The end of the address as people write it that the client's lacks: `/v1`. */
  api?: string | undefined;
}

/** Clauses and sentences for people: where a `location` points, and what to do about it; null where it points nowhere. */
export function redirected(
  location: string | undefined,
  { url, path, api = '' }: Asked,
): { what: string; remedy: string } | null {
  const from = trimmed(url + path);
  if (location === undefined || !URL.canParse(location, from)) return null;
  const { origin, pathname } = new URL(location, from);
  const to = trimmed(`${origin}${pathname}`).replace(/^ws/, 'http');
  const below = trimmed(path);
  const isSamePath = to !== from && to.endsWith(below);
  return {
    what: l10n.t('it points to {0}', isSamePath ? to.slice(0, to.length - below.length) + api : to),
    remedy: isSamePath
      ? l10n.t('Give that address for this endpoint.')
      : l10n.t('Check that the address leads to this kind of server and not to a proxy or a page.'),
  };
}

/** Without a query and slashes at the end. */
const trimmed = (address: string): string => address.replace(/[?#].*$/, '').replace(/\/+$/, '');

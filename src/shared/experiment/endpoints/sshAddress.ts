/** `ssh://user@host:port`. Names are restricted: `ssh` reads a leading hyphen as an option, which may run programs. */

export interface SshAddress {
  user: string | null;
  host: string;
  port: number | null;
}

const name = '[A-Za-z0-9_][A-Za-z0-9._-]*';
const user = '[A-Za-z0-9_](?:[A-Za-z0-9._+-]|%40)*';
/** An IPv6 address is in brackets. */
const form = `ssh://(?:(${user})@)?(${name}|\\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\\])(?::([1-9][0-9]{0,4}))?`;
const address = new RegExp(`^${form}$`);

/** Without its groups, for schemas. */
export const sshAddressPattern = form.replaceAll(/\((?!\?)/g, '(?:');

/** Null for invalid text. */
export function sshAddressOf(url: string): SshAddress | null {
  const [, name, host, port] = address.exec(url) ?? [];
  if (host === undefined || Number(port ?? 1) > 65_535) return null;
  return {
    user: name?.replaceAll('%40', '@') ?? null,
    host: host.replaceAll(/[[\]]/g, ''),
    port: port === undefined ? null : Number(port),
  };
}

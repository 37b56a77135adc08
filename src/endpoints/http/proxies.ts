/**
 * Proxies of the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, also in lower case), which Node's own agents know
 * since 24.5 and 22.21. What is on this machine is asked without one, as Go and browsers do: `NO_PROXY` is often forgotten.
 */
import * as l10n from '@vscode/l10n';
import { codeOf } from '../../shared/systemError.ts';

export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

const local = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

/** Options of an agent for an address. */
export function proxyOptions({ hostname }: URL, environment: ProxyEnvironment): { proxyEnv?: NodeJS.ProcessEnv } {
  return local.test(hostname) ? {} : { proxyEnv: { ...environment } };
}

/** A proxy's answer to `CONNECT`: `refused` when it will say so again. Null for an error that is not a proxy's. */
export function tunnelFault(error: Error): { what: string; refused: boolean } | null {
  if (codeOf(error) !== 'ERR_PROXY_TUNNEL') return null;
  const [, proxy = 'unknown', said = error.message] = / via (\S+?)\/?: (.*)$/s.exec(error.message) ?? [];
  const status = 'statusCode' in error ? error.statusCode : null;
  return {
    what: l10n.t('the proxy {0} opens no way to it ({1})', proxy, said.trim()),
    refused: [401, 403, 407].includes(Number(status)),
  };
}

/** Whether a connection failed to another place than the address: `no connection to the proxy 10.0.0.1:3128`. */
export function missedProxy(error: Error, { hostname, port, protocol }: URL): string | null {
  const at = 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : null;
  if (at !== null && at !== hostname) return at;
  const expected = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (!('port' in error) || typeof error.port !== 'number' || error.port === expected) return null;
  return `${'address' in error ? String(error.address) : ''}:${error.port}`;
}

export const proxyRemedy = (): string =>
  l10n.t('Check the proxy that HTTP_PROXY or HTTPS_PROXY names; NO_PROXY lists what needs none.');

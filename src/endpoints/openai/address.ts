/** Where an OpenAI-compatible server's calls are: its own ones at the root, the common ones below `/v1`. */

export interface Address {
  /** Of its own calls: health, version, metrics. */
  root: string;
  /** In front of the common calls, below the root: `/v1`. */
  api: string;
}

/** Addresses of a field: one, or several replicas with blanks or commas between them. */
export function addressesOf(text: string): [Address, ...Address[]] {
  const [first = '', ...others] = text.split(/[\s,]+/).filter(Boolean);
  return [addressOf(first), ...others.map(addressOf)];
}

/** With or without `/v1` at its end; another path is taken as it is, as gateways have it. */
function addressOf(text: string): Address {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  const versioned = path === '' || path.endsWith('/v1');
  url.pathname = path.replace(/\/v1$/, '');
  return { root: url.href, api: versioned ? '/v1' : '' };
}

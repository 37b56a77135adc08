/** A page from the disk for browsers of other machines: at an address of this machine that cannot be guessed, for a while. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { messageOf } from '../../shared/messageOf.ts';

/** After the last request. */
const lifetimeMs = 30 * 60_000;

/** Addresses by file. */
const served = new Map<string, Promise<string>>();

/** @returns the same address for the same file as long as it is served. @throws Error where no port can be opened */
export function addressOfFile(path: string, lifetime = lifetimeMs): Promise<string> {
  const known = served.get(path);
  if (known !== undefined) return known;
  const begun = serve(path, lifetime, () => served.delete(path));
  served.set(path, begun);
  return begun;
}

async function serve(path: string, lifetime: number, ended: () => void): Promise<string> {
  const place = `/${randomBytes(24).toString('base64url')}/`;
  const server = createServer(({ method, url = '' }, response) => {
    ending.refresh();
    if (method !== 'GET' || url.split('?')[0] !== place) {
      response.writeHead(404).end();
      return;
    }
    readFile(path).then(
      (page) => response.writeHead(200, headers).end(page),
      (error: unknown) =>
        response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(messageOf(error)),
    );
  });
  const ending = setTimeout(() => {
    server.close();
    server.closeAllConnections();
  }, lifetime).unref();
  server.unref().once('close', ended);
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(0, '127.0.0.1', () => listening());
  }).catch((error: unknown) => {
    ended();
    throw error;
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://127.0.0.1:${port}${place}`;
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // The page has its own policy for what it loads; none may frame it.
  'content-security-policy': "frame-ancestors 'none'",
};

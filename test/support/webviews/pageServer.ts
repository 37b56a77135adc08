/**
 * Serves the extension's pages to a browser on this machine. Requests that a test answers over the browser's protocol cost
 * more than the pages' own work; and what comes from a server the browser keeps, compiled.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { bundlePages } from '../../../scripts/pages.mjs';
import { themeNames, themeSheet } from './themes.ts';

/** A page's text, as it is now. */
type Html = () => string;

const pages = new Map<string, Html>();
let made = 0;
let served: Promise<string> | undefined;

/** @returns the page's address, which ends with the page */
export async function serve(html: Html): Promise<{ url: string; end: () => void }> {
  served ??= listens();
  const origin = await served;
  made += 1;
  const path = `/page/${made}`;
  pages.set(path, html);
  return { url: `${origin}${path}`, end: () => void pages.delete(path) };
}

/** @returns the server's origin */
async function listens(): Promise<string> {
  const folder = await bundled();
  const server = createServer((request, response) => void answer(folder, request, response));
  server.unref();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server of pages has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** @returns the folder of every page, built once as `scripts/build.mjs webviews` builds them */
async function bundled(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-pages-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundlePages(folder, false);
  return folder;
}

const types: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };
const policy = (origin: string): string =>
  `default-src 'none'; img-src ${origin}; font-src ${origin}; style-src ${origin} 'nonce-style'; script-src 'nonce-ours'`;

async function answer(folder: string, ...[request, response]: Parameters<RequestListener>): Promise<void> {
  const { pathname, search, origin } = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
  const html = pages.get(pathname);
  if (html !== undefined) {
    response.writeHead(200, {
      ...{ 'content-type': 'text/html', 'cache-control': 'no-store', 'content-security-policy': policy(origin) },
    });
    return void response.end(html());
  }
  const theme = themeNames.find((name) => search === `?${name}` || search === `?begins=${name}`);
  const found = pathname === '/theme.css' && theme !== undefined ? themeSheet(theme) : await part(folder, pathname);
  // Every new window asks for an icon.
  if (found === undefined) return void response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
  const type = types[extname(pathname)] ?? 'application/octet-stream';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=3600' });
  response.end(found);
}

/** Undefined where there is no such file. */
const part = (folder: string, path: string): Promise<Buffer | undefined> =>
  readFile(join(folder, basename(path))).catch(() => undefined);

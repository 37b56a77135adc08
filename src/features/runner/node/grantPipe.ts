/**
 * The way of keys to a runner that works already: a local socket in a folder that its user alone enters (a named pipe on
 * Windows). Nothing that passes through it is written anywhere.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { lookUp } from '../../../runs/lease/processPlace.ts';
import type { LeaseHolder } from '../../../runs/lease/leaseFile.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { grantsSchema, type Grant } from '../contract.ts';
import { RunnerError } from './runnerError.ts';

/** Bytes beyond which a line is no list of keys. */
const longest = 1 << 18;
/** Milliseconds after which a silent client is disconnected. */
const patience = 5_000;

/** @throws RunnerError `no-pipe` where the folder is not this user's alone */
function pipePath(root: string, nonce: string): string {
  // A pipe of Windows is in no folder: its name is unknown before the runner has the runs folder.
  if (process.platform === 'win32') return `\\\\.\\pipe\\genenv-${nonce.replaceAll(/[^\w-]/g, '')}`;
  const { uid } = userInfo();
  const folder = join(tmpdir(), `genenv-${uid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw refused(`${folder} cannot be made (${codeOf(error)})`);
  }
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0) {
    throw refused(`${folder} is not yours alone`);
  }
  return join(folder, `${createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16)}.sock`);
}

const refused = (why: string): RunnerError =>
  new RunnerError(
    'no-pipe',
    `Keys cannot be passed to the runner: ${why}.`,
    'Start the runner in an environment that has its keys, with “genenv runner start”.',
  );

/** Takes grants until it is closed; only the holder of the folder's lease may call it. @throws RunnerError `no-pipe` */
export async function listenForGrants(
  root: string,
  nonce: string,
  take: (grants: readonly Grant[]) => void,
): Promise<{ close: () => void }> {
  const path = pipePath(root, nonce);
  // One that a killed runner left.
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((socket) => hear(socket, take));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refused(`${path} cannot be opened (${codeOf(error)})`)));
    server.listen(path, resolve);
  });
  server.unref();
  return { close: () => server.close() };
}

function hear(socket: Socket, take: (grants: readonly Grant[]) => void): void {
  let text = '';
  socket.setTimeout(patience, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    if (end === -1) {
      if (text.length > longest) socket.destroy();
      return;
    }
    const grants = readGrants(text.slice(0, end));
    if (grants !== null) take(grants);
    socket.end(grants === null ? 'refused\n' : 'taken\n');
  });
}

/** Null for an invalid list. */
export const readGrants = (line: string): Grant[] | null => grantsSchema.safeParse(parseOrUndefined(line)).data ?? null;

/** @throws RunnerError `no-pipe` when they did not reach it */
export async function giveGrants(root: string, holder: LeaseHolder, grants: readonly Grant[]): Promise<void> {
  if (lookUp(holder) !== 'alive') throw refused(`it works on ${holder.host}, or in another container`);
  const path = pipePath(root, holder.nonce);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(patience, () => socket.destroy(new Error('it does not answer')));
    socket.once('error', (error) => reject(refused(error.message)));
    socket.on('data', (piece: string) => (text += piece));
    socket.once('close', () => resolve(text));
    socket.write(`${JSON.stringify(grants)}\n`);
  });
  if (answer !== 'taken\n') throw refused('it did not take them');
}

/**
 * The way of keys and questions to a runner that works already: a local socket in a folder that its user alone enters (a
 * named pipe on Windows). Nothing that passes through it is written anywhere.
 */
import { lstatSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { sha256 } from '../../../runs/files/sha256.ts';
import { lookUp } from '../../../runs/lease/processPlace.ts';
import type { LeaseHolder } from '../../../runs/lease/leaseFile.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { saidSoFarSchema, type SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import { grantsSchema, pipeRequestSchema, type Grant } from '../contract.ts';
import { RunnerError } from './runnerError.ts';

/** Characters beyond which a line is no request, and no answer. */
const [longest, longestAnswer] = [1 << 18, 1 << 20];
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
    if (codeOf(error) !== 'EEXIST') throw refused(l10n.t('{0} cannot be made ({1})', folder, codeOf(error)));
  }
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0) {
    throw refused(l10n.t('{0} is not yours alone', folder));
  }
  return join(folder, `${sha256(realpathSync(root)).slice(0, 16)}.sock`);
}

const refused = (why: string): RunnerError =>
  new RunnerError(
    'no-pipe',
    l10n.t('Keys cannot be passed to the runner: {0}.', why),
    l10n.t('Start the runner in an environment that has its keys, with “genenv runner start”.'),
  );

interface Heard {
  take: (grants: readonly Grant[]) => void;
  /** Null for a run that does not answer. */
  said: (run: string, task: string) => Promise<SaidSoFar | null>;
}

/** Listens until it is closed; only the holder of the folder's lease may call it. @throws RunnerError `no-pipe` */
export async function listenAtPipe(root: string, nonce: string, heard: Heard): Promise<{ close: () => void }> {
  const path = pipePath(root, nonce);
  // One that a killed runner left.
  if (process.platform !== 'win32') rmSync(path, { force: true });
  const server = createServer((socket) => hear(socket, heard));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(refused(l10n.t('{0} cannot be opened ({1})', path, codeOf(error)))));
    server.listen(path, resolve);
  });
  server.unref();
  return { close: () => server.close() };
}

function hear(socket: Socket, heard: Heard): void {
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
    socket.removeAllListeners('data');
    void answer(text.slice(0, end), heard).then((line) => socket.end(`${line}\n`));
  });
}

async function answer(line: string, { take, said }: Heard): Promise<string> {
  const request = pipeRequestSchema.safeParse(parseOrUndefined(line)).data;
  if (request === undefined) return 'refused';
  if (!Array.isArray(request)) return JSON.stringify(await said(request.run, request.task));
  take(request);
  return 'taken';
}

/** Null for an invalid list. */
export const readGrants = (line: string): Grant[] | null => grantsSchema.safeParse(parseOrUndefined(line)).data ?? null;

/** @throws RunnerError `no-pipe` when they did not reach it */
export async function giveGrants(root: string, holder: LeaseHolder, grants: readonly Grant[]): Promise<void> {
  if (lookUp(holder) !== 'alive') throw refused(l10n.t('it works on {0}, or in another container', holder.host));
  if ((await sent(root, holder, [...grants])) !== 'taken\n') throw refused(l10n.t('it did not take them'));
}

/**
 * The newest turns in a run's attempts at a task; null where the runner cannot be asked: it works on another machine,
 * is of an earlier version, has just ended, or does not execute this run.
 */
export async function askSaid(
  root: string,
  holder: LeaseHolder,
  about: { run: string; task: string },
): Promise<SaidSoFar | null> {
  if (lookUp(holder) !== 'alive') return null;
  try {
    const line = await sent(root, holder, { type: 'said', ...about });
    return saidSoFarSchema.safeParse(parseOrUndefined(line)).data ?? null;
  } catch (error) {
    if (RunnerError.is(error, 'no-pipe')) return null;
    throw error;
  }
}

/** @returns the whole answer. @throws RunnerError `no-pipe` */
async function sent(root: string, { nonce }: LeaseHolder, request: z.input<typeof pipeRequestSchema>): Promise<string> {
  const path = pipePath(root, nonce);
  return new Promise<string>((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    socket.setEncoding('utf8');
    socket.setTimeout(patience, () => socket.destroy(new Error(l10n.t('it does not answer'))));
    socket.once('error', (error) => reject(refused(error.message)));
    socket.on('data', (piece: string) => {
      text += piece;
      if (text.length > longestAnswer) socket.destroy(new Error(l10n.t('its answer is too long')));
    });
    socket.once('close', () => resolve(text));
    socket.write(`${JSON.stringify(request)}\n`);
  });
}

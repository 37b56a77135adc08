/** A WebSocket on which the server alone speaks. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { reasonOf } from '../../time.ts';
import { BrokenExchange, brokenSocket } from '../exchange.ts';
import { closeFrame, FrameFault, FrameReader, pongFrame } from './frames.ts';
import { shakeHands, type Handshake } from './handshake.ts';
import { mask } from './mask.ts';

export interface Listening extends Omit<Handshake, 'patience'> {
  /** Bytes that a message may have. */
  largest: number;
  signal: AbortSignal;
}

const openingTime = 30_000;
/** TCP finds out that the other end is gone: a quiet job sends nothing for hours. */
const keepAlive = 30_000;

/** Texts, one a message, until the server closes. @throws RefusedAnswer; BrokenExchange; the signal's reason */
export async function* listen({ largest, ...handshake }: Listening): AsyncGenerator<string, void> {
  const { signal, url } = handshake;
  const { socket, head } = await shakeHands({ ...handshake, patience: openingTime });
  if (socket instanceof Socket) socket.setKeepAlive(true, keepAlive);
  const reader = new FrameReader(largest);
  const abort = (): void => void socket.destroy(reasonOf(signal));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    for await (const piece of piecesOf(head, socket)) {
      for (const received of reader.read(piece)) {
        if (received.type === 'text') yield received.text;
        else if (received.type === 'ping') socket.write(pongFrame(received.payload, mask()));
        else {
          socket.end(closeFrame(mask()));
          return;
        }
      }
    }
    throw new BrokenExchange('cut', l10n.t('the WebSocket ended without a close'));
  } catch (error) {
    if (signal.aborted) throw reasonOf(signal);
    if (error instanceof FrameFault) throw error.broken;
    if (error instanceof BrokenExchange || !(error instanceof Error)) throw error;
    throw brokenSocket(error, true, false, url);
  } finally {
    signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function* piecesOf(head: Buffer, socket: Duplex): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for await (const piece of socket) if (Buffer.isBuffer(piece)) yield piece;
}

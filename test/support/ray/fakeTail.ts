/** Ray's WebSocket of a job's log: all of it at every attachment, ten lines a message, then what is printed, until the job has ended. */
import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';

export type TailFault =
  /** Answers that status in place of a WebSocket. */
  | { refused: number }
  /** Breaks after so many messages. */
  | { cutAfter: number }
  /** Closes after so many messages as if the log were at its end: the agent on the job's node is gone. */
  | { closesAfter: number }
  /** Each message in pieces with a ping between them. */
  | 'in pieces'
  /** These bytes in place of the first message. */
  | { bytes: Buffer }
  /** A log that begins otherwise. */
  | 'another';

interface Job {
  log: string;
  status: string;
}

/** A frame as servers send it: unmasked. */
export function frame(opcode: number, content: Buffer, { last = true } = {}): Buffer {
  const size = content.length;
  const head = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  head[0] = (last ? 0x80 : 0) | opcode;
  head[1] = size < 126 ? size : size < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(size, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([head, content]);
}

export function refuse(socket: Duplex, status: number, body: string): void {
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${status} No\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  );
}

export function accept(socket: Duplex, key: string): Duplex {
  const proof = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${proof}\r\n\r\n`,
  );
  return socket;
}

const close = frame(8, Buffer.from([3, 232]));

export function tail(socket: Duplex, job: Job, fault: TailFault | undefined): void {
  const all = (): string => (fault === 'another' ? `another ${job.log}` : job.log);
  let [told, messages] = [0, 0];
  const step = (): void => {
    if (socket.destroyed) return;
    const ended = job.status !== 'RUNNING' && job.status !== 'PENDING';
    for (const text = all(); told < text.length; messages++) {
      if (typeof fault === 'object' && 'cutAfter' in fault && messages === fault.cutAfter) {
        socket.destroy();
        return;
      }
      if (typeof fault === 'object' && 'closesAfter' in fault && messages === fault.closesAfter) {
        socket.end(close);
        return;
      }
      const lines = /^(?:[^\n]*\n){1,10}/.exec(text.slice(told))?.[0] ?? text.slice(told);
      socket.write(typeof fault === 'object' && 'bytes' in fault ? fault.bytes : framed(lines, fault === 'in pieces'));
      told += lines.length;
    }
    if (ended) socket.end(close);
    else setTimeout(step, 20);
  };
  socket.resume();
  step();
}

function framed(lines: string, inPieces: boolean): Buffer {
  const bytes = Buffer.from(lines);
  if (!inPieces) return frame(1, bytes);
  const middle = Math.floor(bytes.length / 2);
  return Buffer.concat([
    frame(1, bytes.subarray(0, middle), { last: false }),
    ...[frame(9, Buffer.from('still there?')), frame(0, Buffer.alloc(0), { last: false })],
    frame(0, bytes.subarray(middle)),
  ]);
}

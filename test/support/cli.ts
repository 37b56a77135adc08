/** A command line without a process: streams that remember what was written. */
import type { Stream, Terminal } from '../../src/cli/terminal.ts';
import { Styled, type Printable } from '../../src/cli/text/styled.ts';

export interface FakeStream extends Stream {
  readonly text: string;
}

interface Size {
  columns?: number;
  rows?: number;
  isTTY?: boolean;
  colours?: boolean;
}

/** The bytes for a stream. */
export const bytesOf = (text: Printable, { isTTY = true, colours = false }: Size = {}): string =>
  Styled.of(text).bytesFor({ isTTY, colours });

/** @param onWrite hears everything as it is written */
export function fakeStream(size: Size = {}, onWrite: (bytes: string) => void = () => undefined): FakeStream {
  const isTTY = size.isTTY ?? false;
  let text = '';
  const write = (more: Printable): void => {
    const bytes = bytesOf(more, { ...size, isTTY });
    text += bytes;
    onWrite(bytes);
  };
  return {
    isTTY,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    write,
    async writeJson(pieces) {
      for await (const piece of pieces) write(Styled.json(piece));
    },
    get text() {
      return text;
    },
  };
}

/** Time stands still but for what is added by hand. */
export function fakeTerminal(over: Partial<Terminal> = {}): Terminal & { out: FakeStream; err: FakeStream } {
  const out = fakeStream();
  const err = fakeStream();
  return { env: {}, cwd: '/home/someone', timezoneOffset: () => 0, now: () => 0, ...over, out, err };
}

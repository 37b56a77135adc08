/** A command line without a process: streams that remember what was written. */
import type { Stream, Terminal } from '../../src/cli/terminal.ts';
import { plain, type Style } from '../../src/cli/text/style.ts';

export interface FakeStream extends Stream {
  readonly text: string;
}

export function fakeStream(size: { columns?: number; rows?: number; isTTY?: boolean; style?: Style } = {}): FakeStream {
  let text = '';
  return {
    isTTY: size.isTTY ?? false,
    columns: size.columns ?? 80,
    rows: size.rows ?? 24,
    style: size.style ?? plain,
    write: (more) => {
      text += more;
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
  return { env: {}, cwd: '/home/someone', timezoneOffset: 0, now: () => 0, ...over, out, err };
}

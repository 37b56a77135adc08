/** `genenv serve` as a process, with its address. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { ended, type Ended, type Workspace } from '../genenv.ts';

export interface Served {
  url: string;
  child: ChildProcess;
  end: Promise<Ended>;
}

export async function served(
  workspace: Workspace,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Served> {
  const child = workspace.start(['serve', '--port', '0', ...args], env);
  const end = ended(child);
  const url = await new Promise<string>((found, failed) => {
    let seen = '';
    child.stdout?.on('data', (text: string) => {
      seen += text;
      const address = /at (http:\S+)\n[^]*Ctrl-C stops it/.exec(seen)?.[1];
      if (address !== undefined) found(address);
    });
    void end.then(({ err }) => failed(new Error(`It ended before it served: ${err}`)));
  });
  return { url, child, end };
}

/** Ctrl-C. */
export async function stop({ child, end }: Served): Promise<Ended> {
  child.kill('SIGINT');
  const result = await end;
  assert.equal(result.code, 0, result.err);
  return result;
}

/** Lines without a verdict: equal errors are reported once, with their number and place. */
import { CaseError } from '../../../benchmarks/offline/offlineScorer.ts';
import type { Unscored } from '../../../benchmarks/offline/verdictLines.ts';
import { exitCode, type ExitCode } from '../../../cli/exitCode.ts';
import { messageKind } from '../../../cli/text/messageKind.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { styled, type Printable } from '../../../cli/text/styled.ts';

interface Trouble {
  first: Unscored;
  count: number;
  /** 1-based, the first few. */
  lines: number[];
}

const shown = 3;

export class Troubles {
  readonly #byKind = new Map<string, Trouble>();
  #count = 0;
  #worst: ExitCode = exitCode.done;

  add(unscored: Unscored): void {
    this.#count += 1;
    if (this.#worst !== exitCode.failed) {
      this.#worst = unscored.error instanceof CaseError ? exitCode.badInput : exitCode.failed;
    }
    const kind = kindOf(unscored);
    const known = this.#byKind.get(kind);
    if (known === undefined) this.#byKind.set(kind, { first: unscored, count: 1, lines: [unscored.line] });
    else {
      known.count += 1;
      if (known.lines.length < shown) known.lines.push(unscored.line);
    }
  }

  /** Lines without a verdict. */
  get count(): number {
    return this.#count;
  }

  /** 1 for a fault of ours, 2 for cases that are none. */
  get worst(): ExitCode {
    return this.#worst;
  }

  /** As compilers write it, one a kind; a fault of ours with the stack that a report of it needs. */
  texts(input: string): Printable[] {
    const file = input === '-' ? '<stdin>' : input;
    return [...this.#byKind.values()].map(({ first, count: times, lines }) => {
      const what = first.error instanceof CaseError ? first.error.message : faultText(first.error);
      const others = lines.length < times ? ', …' : '';
      const often = times === 1 ? '' : ` (${count(times)} times: lines ${lines.join(', ')}${others})`;
      return styled`${file}:${first.line}: ${style.bad('error')}: ${first.field === '' ? '' : `${first.field}: `}${what}${often}`;
    });
  }
}

const faultText = ({ stack, message }: Error): string => `a fault of GenEnv: ${stack ?? message}`;

function kindOf({ field, error }: Unscored): string {
  if (!(error instanceof CaseError)) return error.stack ?? error.message;
  if (error.reason === 'not-json') return error.reason;
  return `${error.reason} ${messageKind(field)} ${messageKind(error.message)}`;
}

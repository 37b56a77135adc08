import { basename } from 'node:path';
import type { NewVerdict } from '../../runs/rescored/rescoredVerdicts.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { wrap } from '../text/displayWidth.ts';
import { rate } from '../../shared/text/figures/numbers.ts';
import { style } from '../text/style.ts';
import { type Printable } from '../text/styled.ts';

/** Below an attempt: the verdict that was laid over the recorded one. */
export function rescoredLines(
  { verdict, by }: NewVerdict,
  recorded: Verdict,
  { width }: { width: number },
): Printable[] {
  const reward = verdict.error === undefined ? `, reward ${rate(verdict.reward)}` : '';
  const note = verdict.error ?? verdict.note;
  return [
    '',
    style.accent(`rescored by ${basename(by.reward.path)}`),
    `  ${word(verdict)}${reward} (recorded: ${word(recorded)}, reward ${rate(recorded.reward)})`,
    ...(note === undefined ? [] : wrap(note, Math.max(20, width), '  ')),
  ];
}

function word({ success, error }: Verdict): string {
  if (error !== undefined) return 'the checker failed';
  return success ? 'solved' : 'not solved';
}

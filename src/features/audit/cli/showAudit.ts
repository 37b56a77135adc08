import type { RunAudit, ToldCheck } from '../node/auditRun.ts';
import { wrap } from '../../../cli/text/displayWidth.ts';
import { plural } from '../../../shared/text/figures/numbers.ts';
import { style } from '../../../cli/text/style.ts';
import { onOneLine, type Printable } from '../../../cli/text/styled.ts';

/** Attempts that are named; `--json` names up to 20. */
const named = 5;

/** Hints with the attempts to inspect, then the checks without findings. */
export function auditLines({ attempts, unjudged, checks }: RunAudit, columns: number): Printable[] {
  const width = Math.max(20, columns);
  const hints = checks.filter(({ hint }) => hint);
  const rest = checks.filter(({ hint }) => !hint);
  const left = unjudged === 0 ? '' : `, ${plural(unjudged, 'more')} with an error of the checker left out`;
  const about = `${plural(attempts, 'judged attempt')} of training${left}.`;
  const lines = (check: ToldCheck): string[] => wrap(check.words, width, '  ');
  return [
    ...wrap(hints.length === 0 ? `${about} No hint.` : `${about} Hints, not verdicts:`, width, ''),
    ...hints.flatMap((check) => ['', style.warn(check.name), ...lines(check), ...exampleLines(check)]),
    ...(rest.length === 0 ? [] : ['', style.dim('No hint at:')]),
    ...rest.flatMap((check) => [style.accent(check.name), ...lines(check)]),
  ];
}

function exampleLines({ examples }: ToldCheck): Printable[] {
  const more = examples.length > named ? [style.dim(`    and ${examples.length - named} more (--json)`)] : [];
  return [...examples.slice(0, named).map((id) => onOneLine(`    ${id}`)), ...more];
}

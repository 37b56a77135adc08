/**
 * V8’s block counts as statements, branches and functions. Each taking holds the functions that ran, or lie in one that
 * did, as nested spans; a span that ran as often as the one around it is left out. A part therefore ran as often as the
 * smallest span that contains it, and not at all where none does. After a statement that may leave the block, a new
 * span begins at its end; since V8 ends that span too early, every statement of the list takes over the count of the
 * one before it.
 */
import type { CoveredFile, CoveredPlace, TakenCoverage } from '../../shared/rewards/coverage.ts';
import { scriptParts, type ScriptPart } from './scriptParts.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

type Taken = Pick<Extract<TakenCoverage, { kind: 'spans' }>, 'source' | 'functions'>;
type Span = Taken['functions'][number]['spans'][number];

/** @param taken of one file, one of them with its text */
export function coveredBySpans(taken: readonly Taken[]): Omit<CoveredFile, 'file'> {
  const source = taken.findLast((one) => one.source !== null)?.source ?? '';
  const parts = scriptParts(source);
  const sums = parts.map(() => 0);
  for (const { functions } of taken) {
    for (const [index, count] of countsOf(parts, functions).entries())
      sums[index] = (sums[index] ?? outOfRange()) + count;
  }
  const placeOf = places(source);
  const names = new Map(taken.flatMap(({ functions }) => functions.map(({ name, spans }) => [endOf(spans), name])));
  const statements = new Map<number, CoveredFile['statements'][number]>();
  const functions: CoveredFile['functions'] = [];
  for (const [index, { from, to, shown }] of parts.entries()) {
    const [place, count] = [{ from: placeOf(from), to: placeOf(to) }, sums[index] ?? outOfRange()];
    if (shown?.as === 'statement') statements.set(index, { ...place, count, branches: [] });
    else if (shown?.as === 'branch') statements.get(shown.of)?.branches.push({ name: shown.name, ...place, count });
    else if (shown?.as === 'function') functions.push({ name: names.get(to) ?? '', at: place.from, count });
  }
  return { statements: [...statements.values()], functions };
}

function countsOf(parts: readonly ScriptPart[], functions: Taken['functions']): number[] {
  const bySize = (spans: readonly Span[]): Span[] => spans.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  const all = bySize(functions.flatMap(({ spans }) => spans));
  const blocks = bySize(functions.flatMap(({ spans }) => spans.slice(1)));
  const counts: number[] = [];
  for (const { from, to, count } of parts) {
    const before = 'part' in count ? (counts[count.part] ?? outOfRange()) : 0;
    if (count.by === 'itself') counts.push(all.find((span) => span.from <= from && span.to >= to)?.count ?? 0);
    else if (count.by === 'difference') counts.push(Math.max(0, before - (counts[count.without] ?? outOfRange())));
    else {
      const { after } = count;
      const start = parts[count.part]?.from ?? 0;
      // Spans that follow each other are one where they ran as often: it begins before that end, then.
      const behind = (span: Span): boolean =>
        after !== null && span.from > start && span.from <= after && span.to > after;
      counts.push(blocks.find(behind)?.count ?? before);
    }
  }
  return counts;
}

/** Functions are matched by their ends: V8 and the parser differ in where a method begins. */
const endOf = ([whole]: readonly Span[]): number => whole?.to ?? -1;

/** Where an offset is. */
function places(source: string): (offset: number) => CoveredPlace {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (starts[line] ?? outOfRange()) + 1 };
  };
}

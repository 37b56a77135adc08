/** A million tasks that stand nowhere: each is made of its number, and edits lie over it. */
import type { TaskDetail, TaskField, TaskRow } from '../../../src/features/tasks/contract.ts';

type Draft = TaskDetail['draft'];

/** The edits of one task. */
export interface Overlay {
  draft?: Partial<Draft>;
  excluded?: boolean;
  tags?: readonly string[];
}

const shelves = ['rice', 'milk', 'beans', 'salt', 'flour', 'tea'];
const scatter = (at: number, salt: number): number => ((at + 1) * 2654435761 + salt * 40503) % 4294967296;

export const idOf = (at: number): string =>
  `e${1 + (Math.floor(at / 4000) % 250)}.f${Math.floor(at / 4) % 1000}.v${at % 4}`;

export function recordedDraft(at: number): Draft {
  const item = shelves[at % shelves.length] ?? '';
  const amount = 1 + (scatter(at, 1) % 9);
  return {
    prompt: [
      { role: 'system', content: 'You keep a store. Use the tools f1 to f7; answer with calls only.' },
      { role: 'user', content: `Set the stock of ${item} to ${amount}, then tell how much ${item} there is.` },
    ],
    evaluation: { kind: 'calls', inOrder: true },
    gold: `first set f3 ${item} ${amount} second get f1 ${item}`,
  };
}

/** A task's row as the host tells it. */
export function rowOf(at: number, overlay: Overlay | undefined): TaskRow {
  const draft = { ...recordedDraft(at), ...overlay?.draft };
  return {
    at,
    ...{ id: idOf(at), name: idOf(at) },
    family: idOf(at).replace(/\.v\d$/, ''),
    epoch: 1 + (Math.floor(at / 4000) % 250),
    origin: 'generated',
    status: overlay?.excluded === true ? 'excluded' : at % 97 === 5 ? 'rejected' : 'accepted',
    rate: { successes: scatter(at, 2) % 5, attempts: at % 53 === 3 ? 0 : 4 },
    environmentReward: 0.25 * (scatter(at, 3) % 5),
    weight: null,
    length: draft.prompt.reduce((sum, { content }) => sum + content.length, 0),
    flags: [...(at % 7 === 1 ? (['gold-disagrees'] as const) : []), ...(at % 11 === 1 ? (['dead'] as const) : [])],
    tags: [...(overlay?.tags ?? [])],
    edited: overlay?.draft !== undefined,
    title: draft.prompt.at(-1)?.content ?? '',
  };
}

/** A task's detail as the host tells it. */
export function detailOf(at: number, overlay: Overlay | undefined): TaskDetail {
  const row = rowOf(at, overlay);
  const recorded = recordedDraft(at);
  const draft = { ...recorded, ...overlay?.draft };
  const gold = draft.gold ?? '';
  return {
    row,
    damage: null,
    draft,
    recorded: overlay?.draft === undefined ? null : recorded,
    complexity: { steps: 2, tools: 3 },
    plan: 'steps 2 tools 3 fillers 0',
    remarks: remarksOf('gold', gold) ?? [],
    flags: row.flags.map((flag) => ({
      flag,
      why: flag === 'dead' ? 'All 4 attempts of epoch 3 failed.' : '3 of 4 attempts answered “first set f3 rice 5”.',
    })),
    lineage: [
      { kind: 'seed', title: 'Seed task base.12', text: 'Set a stock, then look it up.', opens: { task: 'base.12' } },
      { kind: 'written', title: 'Written by environment@3', text: 'plan steps 2 tools 3', opens: { task: row.id } },
      ...(row.edited ? [{ kind: 'edited' as const, title: 'Edited by Ada', text: 'gold', opens: null }] : []),
      { kind: 'attempted', title: 'Attempted 4 times', text: 'p̂ 0.25', opens: { epoch: row.epoch } },
      { kind: 'weighted', title: 'Weight 0.012 in the environment’s update', text: '', opens: { epoch: row.epoch } },
    ],
    attempts: Array.from({ length: row.rate.attempts }, (_, n) => ({
      trace: `e${row.epoch}/${row.id}/r${n}`,
      epoch: row.epoch,
      verdict: n < row.rate.successes ? ('solved' as const) : ('failed' as const),
      reward: n < row.rate.successes ? 1 : 0.33,
      tokens: 12 + n,
      answer: n < row.rate.successes ? gold : `${gold} third get f1 milk`,
    })),
  };
}

/** The remarks on a field's text; null for one that is unreadable. */
export function remarksOf(field: TaskField, text: string): TaskDetail['remarks'] | null {
  if (field !== 'gold') return null;
  if (!text.includes('f9')) return [];
  const remedy = 'Call one of f1 to f7.';
  return [{ field, severity: 'error', message: 'Call 1: there is no tool f9.', remedy }];
}

/** Every way of judging an attempt, by the name that a task's evaluation gives: a further one is one line here. */
import * as l10n from '@vscode/l10n';
import type { LocalEnvironment, Scorer } from '../engine/ports.ts';
import { ruleSchemas } from '../shared/adapters/scorer.ts';
import type { Verdict } from '../shared/records/trace.ts';
import { FolderScorer } from './adapter/folderScorer.ts';
import { AnswerScorer } from './answerScorer.ts';
import { judgedByDomain } from '../shared/domains/domainFile.ts';
import { nearest } from '../shared/experiment/problems/nearest.ts';
import type { ScorerRule, Judged } from './scorerRule.ts';

/** `tasks`: those of the rule that will be judged, as far as they are known. */
type Open = (dist: URL | null, folders: readonly string[], tasks: readonly Judged[]) => Promise<ScorerRule>;

/** Loaded with the first task that asks for it. */
const openers: Readonly<Record<string, Open>> = {
  storekeeper: async () => new (await import('./storekeeper/scorer.ts')).StorekeeperScorer(),
  exact: async () => new AnswerScorer((await import('./rules/text.ts')).exact, ruleSchemas.exact.strip()),
  contains: async () => new AnswerScorer((await import('./rules/text.ts')).contains, ruleSchemas.contains.strip()),
  number: async () => new AnswerScorer((await import('./rules/number.ts')).number, ruleSchemas.number.strip()),
  'token-f1': async () => new AnswerScorer((await import('./rules/words.ts')).tokenF1, ruleSchemas['token-f1'].strip()),
  'rouge-l': async () => new AnswerScorer((await import('./rules/words.ts')).rougeL, ruleSchemas['rouge-l'].strip()),
  json: async () => new AnswerScorer((await import('./rules/json.ts')).json, ruleSchemas.json.strip()),
  'json-schema': async () =>
    new AnswerScorer((await import('./rules/jsonSchema.ts')).jsonSchema, ruleSchemas['json-schema'].strip()),
  'tool-calls': async () =>
    new AnswerScorer((await import('./rules/calls.ts')).toolCalls, ruleSchemas['tool-calls'].strip()),
  bamboogle: async () =>
    new AnswerScorer((await import('./rules/bamboogle.ts')).bamboogle, ruleSchemas.bamboogle.strip()),
  'bamboogle-search': async (_, __, tasks) => (await import('./bamboogle/searchTask.ts')).SearchScorer.open(tasks),
  toolrl: async () => new AnswerScorer((await import('./rules/toolRl.ts')).toolRl, ruleSchemas.toolrl.strip()),
  bfcl: async (dist) => {
    const { bfcl, bfclOptions, openParser } = await import('./rules/bfcl.ts');
    return new AnswerScorer(bfcl(await openParser(dist)), bfclOptions);
  },
  'bfcl-relevance': async (dist) => {
    const { bfclRelevance, openParser, relevanceOptions } = await import('./rules/bfcl.ts');
    return new AnswerScorer(bfclRelevance(await openParser(dist)), relevanceOptions);
  },
  [judgedByDomain]: async () => (await import('./domainScorer.ts')).domainScorer,
  alfworld: async () => new (await import('./alfworld/gameTask.ts')).GameScorer(),
  'alfworld-steps': async () =>
    new AnswerScorer((await import('./rules/alfworldSteps.ts')).alfworldSteps, ruleSchemas['alfworld-steps'].strip()),
  'bfcl-multi-turn': async (_, folders) => {
    const { LongContexts } = await import('./bfcl/multiTurn/apis/longContexts.ts');
    return new (await import('./bfcl/multiTurn/turnsTask.ts')).TurnsScorer(await LongContexts.open(folders));
  },
  'bfcl-long-context-turns': async (_, folders) => {
    const { LongContexts } = await import('./bfcl/multiTurn/apis/longContexts.ts');
    return new (await import('./bfcl/multiTurn/turnTask.ts')).TurnScorer(await LongContexts.open(folders));
  },
  'api-bank': async (_, folders) => FolderScorer.open((await import('./apiBank/sampleTask.ts')).sampleRule, folders),
  travelplanner: async (_, folders) =>
    FolderScorer.open((await import('./travelplanner/planTask.ts')).planRule, folders),
};

/** Names of the rules that an adapter or a task file may name. */
export const ruleNames: readonly string[] = Object.keys(openers).filter((name) => name !== judgedByDomain);

const played = new Set(['alfworld', 'bamboogle-search', 'bfcl-multi-turn', 'bfcl-long-context-turns']);

/** Whether a task's rule plays it over several turns. */
export const isPlayed = ({ evaluation }: Pick<Judged, 'evaluation'>): boolean => played.has(evaluation.kind);

/** Where a rule reads files of the benchmark, `evaluation.data` says of which folder: each once. */
function dataFolders(kind: string, tasks: readonly Judged[]): string[] {
  const folders = ofKind(kind, tasks).map(({ evaluation }) => evaluation['data']);
  return [...new Set(folders.filter((folder) => typeof folder === 'string'))];
}

const ofKind = (kind: string, tasks: readonly Judged[]): readonly Judged[] =>
  tasks.filter(({ evaluation }) => evaluation.kind === kind);

/** Judges every task by the rule that its evaluation names. */
export class ScorerTable implements ScorerRule {
  readonly #rules: ReadonlyMap<string, ScorerRule>;

  private constructor(rules: ReadonlyMap<string, ScorerRule>) {
    this.#rules = rules;
  }

  /**
   * Makes the named rules ready; unknown names are left out, and each task with such a rule gets an error.
   * @param dist the folder of built files; null where nothing will be judged that needs one of them
   * @param tasks that will be judged: where a rule needs a benchmark's own files, they say in which folder these lie
   * @throws OptionError naming a file of these that is missing
   */
  static async open(
    kinds: Iterable<string>,
    dist: URL | null = null,
    tasks: readonly Judged[] = [],
  ): Promise<ScorerTable> {
    const rules = new Map<string, ScorerRule>();
    for (const kind of new Set(kinds)) {
      const open = Object.hasOwn(openers, kind) ? openers[kind] : undefined;
      if (open !== undefined) rules.set(kind, await open(dist, dataFolders(kind, tasks), ofKind(kind, tasks)));
    }
    return new ScorerTable(rules);
  }

  fault(task: Judged): string | null {
    const { kind } = task.evaluation;
    return this.#rules.get(kind)?.fault(task) ?? (this.#rules.has(kind) ? null : unknownRule(kind));
  }

  goldAnswer(task: Judged): string | null {
    return this.#rules.get(task.evaluation.kind)?.goldAnswer(task) ?? null;
  }

  episode(task: Judged): LocalEnvironment | null {
    return this.#rules.get(task.evaluation.kind)?.episode?.(task) ?? null;
  }

  score(task: Judged, trace: Parameters<Scorer['score']>[1]): Verdict {
    const { kind } = task.evaluation;
    const rule = this.#rules.get(kind);
    if (rule === undefined) return { success: false, reward: 0, valid: false, error: unknownRule(kind) };
    return rule.score(task, trace);
  }
}

function unknownRule(kind: string): string {
  const near = nearest(kind, ruleNames);
  const remedy =
    near === null ? l10n.t('the rules are {0}', ruleNames.join(', ')) : l10n.t('did you mean “{0}”?', near);
  return l10n.t('there is no rule “{0}”; {1}', kind, remedy);
}

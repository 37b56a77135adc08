/** Bamboogle's questions with a search tool, in rounds as ToolRL plays them, over a corpus that the user has. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { LocalEnvironment, Observation, Scorer } from '../../engine/ports.ts';
import { ruleSchemas } from '../../shared/adapters/scorer.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { AnswerScorer } from '../answerScorer.ts';
import { bamboogle } from '../rules/bamboogle.ts';
import { Corpus } from './corpus.ts';
import { afterResults, firstRequest, historyText, limits, readReply, shownResults, type Said } from './searchRound.ts';
import type { ScorerRule } from '../scorerRule.ts';

type Judged = Parameters<Scorer['score']>[0];

const options = ruleSchemas['bamboogle-search'].strip();
/** `data`: the benchmark's folder, absolute. */
const searchSchema = z.object({ corpus: z.string(), data: z.string() });

/** The file that a task's questions are looked up in; null where the task does not tell. */
function corpusOf({ evaluation }: Pick<Judged, 'evaluation'>): string | null {
  const { data: spec } = searchSchema.safeParse(evaluation);
  return spec === undefined ? null : join(spec.data, spec.corpus);
}

/** A round a turn: everything said so far is read anew, in one message. */
class SearchEpisode implements LocalEnvironment {
  readonly #corpus: Pick<Corpus, 'search'>;
  #said: Said[] = [];
  #round = 0;

  constructor(corpus: Pick<Corpus, 'search'>) {
    this.#corpus = corpus;
  }

  reset({ prompt }: Pick<Task, 'prompt'>): Observation {
    const question = prompt.findLast(({ role }) => role === 'user')?.content ?? '';
    this.#said = [{ role: 'user', content: firstRequest(question) }];
    this.#round = 0;
    return this.#history();
  }

  step(action: string, reasoning?: string): Observation {
    this.#round += 1;
    const reply = readReply(reasoning === undefined ? action : `<think> ${reasoning} </think>\n${action}`);
    if (reply.kind === 'search') {
      const found = this.#corpus.search(reply.query, limits.results);
      this.#said.push(
        { role: 'assistant', content: reply.shown },
        { role: 'obs', content: shownResults(found) },
        { role: 'user', content: afterResults(this.#round) },
      );
    }
    if (reply.kind === 'answer' || this.#round >= limits.rounds) return { messages: [], done: true };
    return this.#history();
  }

  #history(): Observation {
    return { messages: [{ role: 'user', content: historyText(this.#said) }], done: false, alone: true };
  }
}

/** Success is as without search; how often was searched stands beside it. */
export class SearchScorer implements ScorerRule {
  readonly #words = new AnswerScorer(bamboogle, options);
  readonly #corpora: ReadonlyMap<string, Corpus>;

  private constructor(corpora: ReadonlyMap<string, Corpus>) {
    this.#corpora = corpora;
  }

  /** @param tasks whose corpora are read @throws OptionError naming a corpus that is missing, damaged or too large */
  static async open(tasks: readonly Judged[]): Promise<SearchScorer> {
    const paths = new Set(tasks.map(corpusOf).filter((path) => path !== null));
    const corpora = new Map<string, Corpus>();
    for (const path of paths) corpora.set(path, await Corpus.open(path));
    return new SearchScorer(corpora);
  }

  fault(task: Judged): string | null {
    const fault = this.#words.fault(task);
    return fault === null && corpusOf(task) === null
      ? l10n.t('evaluation.data: the folder of the corpus is missing')
      : fault;
  }

  goldAnswer(task: Judged): string | null {
    return this.#words.goldAnswer(task);
  }

  /** Of a task whose corpus was read. */
  episode(task: Judged): LocalEnvironment {
    const path = corpusOf(task) ?? '';
    const corpus = this.#corpora.get(path);
    if (corpus === undefined) throw new Error(`Unreachable: ${path} was not read.`);
    return new SearchEpisode(corpus);
  }

  score(task: Judged, trace: Parameters<Scorer['score']>[1]): Verdict {
    const verdict = this.#words.score(task, trace);
    if (verdict.error !== undefined) return verdict;
    const replies = trace.messages.filter(({ role }) => role === 'assistant').slice(0, limits.rounds);
    const searches = replies.filter(({ content }) => readReply(content).kind === 'search').length;
    return { ...verdict, parts: { ...verdict.parts, searches } };
  }
}

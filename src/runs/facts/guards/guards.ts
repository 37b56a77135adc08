/**
 * Guards: warnings during a run, found by a fold over its journal. A finding begins at the epoch where its condition
 * began to hold, and disappears when it no longer holds.
 */
import * as l10n from '@vscode/l10n';
import { inBand } from '../../../engine/math/curriculum.ts';
import { teaching } from '../../../engine/math/teaching.ts';
import type { Teaching } from '../../../shared/report/teaching.ts';
import { trainsEnvironment } from '../../../shared/experiment/trains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { wasSkipped } from '../../../shared/journal/untrained.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import type { Disagreements, EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import { curriculumAfter, type CurriculumInForce } from '../../../shared/journal/curriculum.ts';
import type { Lineage } from '../../journal/lineage.ts';
import { changesOf } from '../../journal/experimentNow.ts';
import { SettingsFold } from '../../journal/settingsFold.ts';
import { CourseGuards } from './courseGuards.ts';
import { CrossPlayGuards } from './crossPlayGuards.ts';
import { JudgeGuard } from './judgeGuard.ts';
import { DomainGuards } from './domainGuards.ts';
import { levelRate } from '../schedule/levelRate.ts';
import { SpareGuard } from '../schedule/spareGuard.ts';
import { Streak } from './streak.ts';
import { WrittenGuards } from './writtenGuards.ts';
import type { GuardFinding } from './guardFinding.ts';
import { fixed } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';

/** Epochs in a row before an alarm: one epoch may be chance. */
const streaks = { skipped: 3, solved: 2, learnable: 3, capped: 3, malformed: 2, duplicates: 3 };
/** From this p̂ on a family counts as solved. */
const solved = 0.95;
/** Share of p̂(1 − p̂) that tasks' own p(1 − p) must reach on average, else p̂ is a mixture; of so many tasks at least. */
const learnable = { share: 0.2, tasks: 16 };
/** Fewer texts say nothing about a share. */
const fewestTexts = 8;
/** Share of well-formed texts under which parsing is bad, and under which it has fallen from the run's best. */
const parse = { low: 0.5, fallen: 0.75 };
/** Share of duplicates that is worth a word, and how many times that of the epochs before. */
const duplicated = { share: 0.2, rise: 2, most: 0.5 };
/** Epochs that the share of duplicates before is taken over. */
const remembered = 64;

/** Shares of one epoch's texts. */
interface Texts {
  parsed: number;
  duplicates: number;
}

export class GuardFold {
  readonly #settings: SettingsFold;
  /** Whether the environment is trained, which changes the remedy. */
  readonly #trains: boolean;
  readonly #mode: Experiment['mode'];
  readonly #skipped = new Streak();
  readonly #capped = new Streak();
  readonly #allSolved = new Streak();
  readonly #noneSolved = new Streak();
  readonly #unlearnable = new Streak();
  readonly #malformed = new Streak();
  readonly #duplicated = new Streak();
  /** Why the environment was skipped last; which cap stopped it last; how well the last texts and families did. */
  #why = '';
  #cap: 'update-cap' | 'total-cap' = 'update-cap';
  #families = 0;
  /** No attempt of the newest epoch at a family was judged. */
  #unjudged = false;
  #curriculum: CurriculumInForce | null = null;
  #teaching: Teaching | null = null;
  #texts: Texts[] = [];
  #bestParse = 0;
  /** Epochs in a row whose attempts a job judged otherwise, the newest with its count and example. */
  readonly #apart = new Streak();
  #judged: { of: number } & Disagreements = { of: 0, count: 0, example: '' };
  /** Share of duplicates before they rose. */
  #usual: number | null = null;
  readonly #written: WrittenGuards;
  readonly #domain: DomainGuards;
  readonly #judge: JudgeGuard;
  readonly #course: CourseGuards;
  readonly #versions = new CrossPlayGuards();
  readonly #spare = new SpareGuard();
  /** Families of the newest epoch that were cut off. */
  #cutOff = 0;

  /** Remedies are for the run itself, the newest of its lineage. */
  constructor(lineage: Lineage) {
    const [{ experiment }] = lineage;
    this.#settings = new SettingsFold(lineage);
    this.#trains = trainsEnvironment(experiment);
    this.#mode = experiment.mode;
    this.#domain = new DomainGuards(experiment);
    this.#judge = new JudgeGuard(experiment.reward.file !== null);
    this.#written = new WrittenGuards(this.#trains);
    this.#course = new CourseGuards(this.#trains, (epoch) => this.#settings.in(epoch).environment.totalKlCap);
  }

  add(event: JournalEvent): void {
    this.#settings.add(event);
    this.#course.add(event);
    this.#versions.add(event);
    this.#domain.add(event);
    this.#judge.add(event);
    switch (event.type) {
      case 'epoch.started':
        this.#curriculum = event.settings;
        return;
      case 'settings.changed':
        if (this.#curriculum !== null) this.#curriculum = curriculumAfter(this.#curriculum, event);
        if (measureChange('attempts', changesOf(event)) !== null) {
          // A branch's shared epochs had another judge.
          for (const streak of [this.#allSolved, this.#noneSolved, this.#unlearnable]) streak.forget();
        }
        return;
      case 'environment.skipped':
        if (!wasSkipped(event.reason)) return;
        this.#why = event.reason;
        // Where no attempt was judged, the difficulty filter is not to blame.
        this.#skipped.add(event.epoch, !this.#unjudged);
        this.#capped.add(event.epoch, false);
        return;
      case 'environment.updated':
        if (event.stoppedBy !== 'end') this.#cap = event.stoppedBy;
        this.#skipped.add(event.epoch, false);
        this.#capped.add(event.epoch, event.stoppedBy !== 'end');
        return;
      case 'rollouts.finished':
        this.#spare.add(event);
        if (event.disagreements !== undefined) this.#judged = { of: event.rollouts, ...event.disagreements };
        this.#apart.add(event.epoch, event.disagreements !== undefined);
        return;
      case 'families.scored':
        this.#addFamilies(event);
        return;
      case 'tasks.generated':
        this.#addTexts(event);
        this.#written.add(event);
        return;
      default:
        return;
    }
  }

  /** The current findings, in the order of `guards`. */
  findings(): GuardFinding[] {
    return [
      this.#skippedFinding(),
      this.#solvedFinding('all-solved', this.#allSolved),
      this.#solvedFinding('none-solved', this.#noneSolved),
      this.#unlearnableFinding(),
      this.#cappedFinding(),
      this.#malformedFinding(),
      this.#duplicatedFinding(),
      this.#apartFinding(),
      ...this.#written.findings(),
      ...this.#course.findings(),
      ...this.#versions.findings(),
      ...this.#domain.findings(),
      this.#judge.finding(),
      this.#spare.finding(),
    ].filter((finding) => finding !== null);
  }

  #addFamilies({ epoch, families, successRate }: EventOf<'families.scored'>): void {
    const all = levelRate({ families, successRate });
    this.#cutOff = families.filter(({ cutOff }) => cutOff !== undefined).length;
    if (this.#curriculum !== null && all !== null) {
      this.#teaching = teaching(families, this.#curriculum);
      const { tasks, learnability } = this.#teaching ?? { tasks: 0, learnability: 0 };
      // Partial rewards teach where attempts all end alike: such tasks count as if they were no mixture.
      const rewarded = families.flatMap((family) => family.tasks).filter((task) => task.teaches === true).length;
      const spread = all * (1 - all);
      const mixture = tasks >= learnable.tasks && learnability + (rewarded / tasks) * spread < learnable.share * spread;
      this.#unlearnable.add(epoch, mixture && inBand(all, this.#curriculum));
    }
    const measured = families.flatMap(({ successRate: { p } }) => p ?? []);
    this.#unjudged = families.length > 0 && measured.length === 0;
    // Nothing was attempted or judged: that says nothing of how hard it was.
    if (measured.length === 0) return;
    this.#families = measured.length;
    this.#allSolved.add(
      epoch,
      measured.every((p) => p >= solved),
    );
    this.#noneSolved.add(
      epoch,
      measured.every((p) => p === 0),
    );
  }

  #addTexts({ epoch, written, rejected }: EventOf<'tasks.generated'>): void {
    if (written < fewestTexts) return;
    const repeated = (rejected['duplicate'] ?? 0) / written;
    const malformed = malformations.reduce((sum, cause) => sum + (rejected[cause] ?? 0), 0) / written;
    const parsed = 1 - malformed;
    this.#malformed.add(epoch, parsed < parse.low && parsed < parse.fallen * this.#bestParse);
    this.#bestParse = Math.max(this.#bestParse, parsed);
    const before = mean(this.#texts.slice(0, -(streaks.duplicates - 1)).map(({ duplicates }) => duplicates));
    const rises = repeated >= duplicated.share && before !== null && repeated >= duplicated.rise * before;
    // Hysteresis: once raised, it stays until the share falls below the lower threshold.
    const goesOn = this.#duplicated.length >= streaks.duplicates && repeated >= duplicated.share;
    if (this.#duplicated.since === null) this.#usual = before;
    this.#duplicated.add(epoch, rises || goesOn || repeated >= duplicated.most);
    this.#texts = [...this.#texts.slice(1 - remembered), { parsed, duplicates: repeated }];
  }

  #skippedFinding(): GuardFinding | null {
    const { since, length } = this.#skipped;
    if (since === null || length < streaks.skipped) return null;
    return {
      guard: 'environment-skipped',
      since,
      message: l10n.t('The environment has not been updated for {0} epochs: {1}', length, inWords(this.#why)),
      remedy: l10n.t(
        'Widen curriculum.kMin, set curriculum.filter to "soft", or lower environment.minFamilies, so that more families are kept.',
      ),
      field: 'curriculum.kMin',
    };
  }

  #solvedFinding(guard: 'all-solved' | 'none-solved', { since, length }: Streak): GuardFinding | null {
    if (since === null || length < streaks.solved) return null;
    const [told, trained, frozen] =
      guard === 'all-solved'
        ? [
            l10n.t(
              'The agent solves every family ({0} of {0}) for {1} epochs: the tasks are too easy.',
              this.#families,
              length,
            ),
            l10n.t(
              'Raise environment.learningRate or environment.steps, so that the environment learns to write harder ones; if it is not updated at all, set curriculum.filter to "soft".',
            ),
            l10n.t(
              'Choose harder tasks: an environment that is trained adapts them to the agent, a frozen one does not.',
            ),
          ]
        : [
            l10n.t(
              'The agent solves no task of any family ({0} of {0}) for {1} epochs: the tasks are too hard.',
              this.#families,
              length,
            ),
            l10n.t(
              'Raise environment.learningRate or environment.steps, so that the environment learns to write easier ones; if it is not updated at all, set curriculum.filter to "soft".',
            ),
            l10n.t(
              'Choose easier tasks: an environment that is trained adapts them to the agent, a frozen one does not.',
            ),
          ];
    return {
      guard,
      since,
      message: `${told}${this.#ofFirst}`,
      remedy: this.#trains ? trained : frozen,
      field: this.#trains ? 'environment.learningRate' : this.#mode === 'coevolve' ? 'environment.update' : 'mode',
    };
  }

  /** Of an alarm over families of which some have their first attempts alone. */
  get #ofFirst(): string {
    if (this.#cutOff === 0) return '';
    const told =
      this.#cutOff === 1
        ? l10n.t('In the newest epoch 1 of them was cut off (rollouts.cutOff): p̂ is of their first attempts.')
        : l10n.t(
            'In the newest epoch {0} of them were cut off (rollouts.cutOff): p̂ is of their first attempts.',
            this.#cutOff,
          );
    return ` ${told}`;
  }

  #unlearnableFinding(): GuardFinding | null {
    const { since, length } = this.#unlearnable;
    if (since === null || length < streaks.learnable || this.#teaching === null) return null;
    const { mixed, learnability, tasks } = this.#teaching;
    return {
      guard: 'nothing-learnable',
      since,
      message: `${l10n.t(
        'p̂ is in the band, but hardly a task is learnable, for {0} epochs: attempts differ in reward at only {1} of {2} tasks (p(1 − p) per task {3}). The rest is too hard or too easy.',
        length,
        percent(mixed),
        tasks,
        fixed(learnability, 3),
      )}${this.#ofFirst}`,
      remedy: this.#trains
        ? l10n.t(
            'Branch with curriculum.reward.kind "learnability" and curriculum.scope "task", which reward each task by itself, or raise generation.variations and lower rollouts.group.',
          )
        : l10n.t(
            'Choose tasks of one difficulty, or train the environment with curriculum.reward.kind "learnability" and curriculum.scope "task".',
          ),
      field: 'curriculum.reward.kind',
    };
  }

  #cappedFinding(): GuardFinding | null {
    const { since, length } = this.#capped;
    if (since === null || length < streaks.capped) return null;
    const total = this.#cap === 'total-cap';
    const field = total ? 'environment.totalKlCap' : 'environment.updateKlCap';
    return {
      guard: 'kl-cap',
      since,
      message: l10n.t('{0} updates of the environment in a row were stopped by {1}.', length, field),
      remedy: total
        ? l10n.t(
            'The environment can move no further from its start. Where its tasks are good, raise {0}; otherwise raise environment.klCoefficient or lower environment.learningRate.',
            field,
          )
        : l10n.t('Lower environment.learningRate or environment.steps, or raise {0}.', field),
      field,
    };
  }

  #malformedFinding(): GuardFinding | null {
    const { since, length } = this.#malformed;
    if (since === null || length < streaks.malformed) return null;
    const now = percent(this.#texts.at(-1)?.parsed ?? 0);
    return {
      guard: 'parse-rate',
      since,
      message: l10n.t(
        'Only {0} of the environment’s texts are well-formed tasks; at its best it was {1}.',
        now,
        percent(this.#bestParse),
      ),
      remedy: l10n.t('Lower environment.learningRate, or raise environment.klCoefficient or environment.baseShare.'),
      field: 'environment.learningRate',
    };
  }

  #duplicatedFinding(): GuardFinding | null {
    const { since, length } = this.#duplicated;
    if (since === null || length < streaks.duplicates) return null;
    const now = percent(this.#texts.at(-1)?.duplicates ?? 0);
    return {
      guard: 'duplicates',
      since,
      message:
        this.#usual === null
          ? l10n.t(
              '{0} of the environment’s texts repeat tasks that were written before, now for {1} epochs.',
              now,
              length,
            )
          : l10n.t(
              '{0} of the environment’s texts repeat tasks that were written before, now for {1} epochs; before that it was {2}.',
              now,
              length,
              percent(this.#usual),
            ),
      remedy: l10n.t('Raise generation.temperature or environment.klCoefficient, or lower curriculum.lambda.'),
      field: 'generation.temperature',
    };
  }

  #apartFinding(): GuardFinding | null {
    if (this.#apart.since === null) return null;
    const { count, of, example } = this.#judged;
    return {
      guard: 'disagreements',
      since: this.#apart.since,
      message: l10n.t(
        'The agent’s job judged {0} of {1} attempts differently from the scorer: its update used other rewards than p̂ does. {2}.',
        count,
        of,
        example,
      ),
      remedy: l10n.t('Compare reward.py in the job’s folder with the scorer: both are given the same text.'),
      field: 'endpoints.agent.kind',
    };
  }
}

/** Causes of texts that are no tasks at all; duplicates and held-out tasks are well-formed. */
const malformations = ['unparseable', 'schema', 'gold', 'plan', 'truncated', 'too-long'];

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

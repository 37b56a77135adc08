/** The guards of one run: what holds now, and what began since the watch did. */
import { GuardFold, type GuardFinding } from '../../runs/guards.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { FollowedRun } from '../runs/runs.ts';

export interface GuardNews {
  findings: readonly GuardFinding[];
  /** Those that began while the run was watched: what was so before nobody needs to be stopped for. */
  began: readonly GuardFinding[];
}

type Watched = Pick<FollowedRun, 'manifest' | 'onDidAppend' | 'replay'>;

const keyOf = ({ guard, since }: GuardFinding): string => `${guard}@${since}`;

export class GuardWatch {
  readonly #fold: GuardFold;
  readonly #tell: (news: GuardNews) => void;
  readonly #subscription: { dispose(): unknown };
  readonly #known = new Set<string>();
  #told = '[]';
  #seq = -1;
  /** Appended while the journal so far is read. */
  #early: JournalEvent[] | null = [];

  constructor(run: Watched, tell: (news: GuardNews) => void) {
    this.#fold = new GuardFold(run.manifest.experiment.mode);
    this.#tell = tell;
    this.#subscription = run.onDidAppend((events) => {
      if (this.#early === null) this.#take(events);
      else this.#early.push(...events);
    });
  }

  /** Reads what happened before. @throws RunError */
  async begin(run: Watched): Promise<void> {
    for await (const event of run.replay()) this.#add(event);
    for (const finding of this.#fold.findings()) this.#known.add(keyOf(finding));
    const early = this.#early ?? [];
    this.#early = null;
    this.#take(early);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #add(event: JournalEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    this.#fold.add(event);
  }

  #take(events: readonly JournalEvent[]): void {
    for (const event of events) this.#add(event);
    const findings = this.#fold.findings();
    const began = findings.filter((finding) => !this.#known.has(keyOf(finding)));
    for (const finding of began) this.#known.add(keyOf(finding));
    const told = JSON.stringify(findings);
    if (told === this.#told) return;
    this.#told = told;
    this.#tell({ findings, began });
  }
}

/** The guards of one run: current findings, and those that began during the watch. */
import type { FollowedRun } from '../runs/runs.ts';
import type { GuardFinding } from '../../runs/facts/guards/guardFinding.ts';

export interface GuardNews {
  findings: readonly GuardFinding[];
  /** Those that began during the watch: earlier ones need no pause. */
  began: readonly GuardFinding[];
}

type Watched = Pick<FollowedRun, 'facts' | 'onDidAppend'>;

const keyOf = ({ guard, since }: GuardFinding): string => `${guard}@${since}`;

export class GuardWatch {
  readonly #run: Watched;
  readonly #tell: (news: GuardNews) => void;
  readonly #subscription: { dispose(): unknown };
  readonly #known: Set<string>;
  #told = '[]';

  constructor(run: Watched, tell: (news: GuardNews) => void) {
    this.#run = run;
    this.#tell = tell;
    this.#known = new Set(run.facts.guards.findings().map(keyOf));
    this.#subscription = run.onDidAppend(() => this.look());
  }

  /** Reports the findings when they changed. */
  look(): void {
    const findings = this.#run.facts.guards.findings();
    const began = findings.filter((finding) => !this.#known.has(keyOf(finding)));
    for (const finding of began) this.#known.add(keyOf(finding));
    const told = JSON.stringify(findings);
    if (told === this.#told) return;
    this.#told = told;
    this.#tell({ findings, began });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** The study file as a form: what a person has to choose first, then what has good defaults. */
import { isError } from '../../src/shared/experiment/problems/problem.ts';
import { at, type JsonObject } from '../../src/shared/experiment/resolve.ts';
import { studySchema } from '../../src/features/study/contract/file.ts';
import type { StudyDocument, StudyEdit, StudyPlan, StudyProblem } from '../../src/features/studyForm/contract.ts';
import type { QueuedNoticeData } from '../../src/shared/rpc/queuedNotice.ts';
import { element } from '../lib/element.ts';
import { Pending } from '../lib/pending.ts';
import { armsSection } from './armsSection.ts';
import { budgetKindOf } from './budget.ts';
import { comparisonSection, stopSection } from './comparisonSections.ts';
import { header, type HeaderHost } from './header.ts';
import { measuresSection } from './measuresSection.ts';
import { plain } from './values.ts';
import { edited, entriesOf, listOf, missingIn, type Missing } from './model.ts';
import { baseSection, budgetSection, seedsSection } from './runsSections.ts';
import { Part } from './part.ts';
import type { Editing } from './section.ts';
import { bySeedSection, gridSection } from './valuesSection.ts';

export interface FormHost extends Omit<HeaderHost, 'goTo' | 'showProblem' | 'rename' | 'flush'> {
  send(edits: readonly StudyEdit[]): Promise<void>;
  browse(field: string): Promise<string | null>;
  openBase(): void;
  newExperiment(): void;
}

const known: ReadonlySet<string> = new Set(Object.keys(studySchema.shape));

export class Form {
  readonly node: HTMLElement;
  readonly pending: Pending<StudyEdit>;
  readonly #editing: Editing;
  readonly #header: ReturnType<typeof header>;
  #document: StudyDocument;
  #plan: StudyPlan | null = null;
  #queued: QueuedNoticeData = null;
  #written: JsonObject = {};
  readonly #parts: readonly Part[];
  constructor(host: FormHost, document: StudyDocument) {
    this.#document = document;
    this.pending = new Pending<StudyEdit>({ send: (edits) => host.send(edits), changed: () => this.#update() });
    this.#editing = {
      value: (path) => at(this.#written, path),
      later: (path, to) => this.pending.later({ path: [...path], to }),
      now: (path, to) => this.pending.now({ path: [...path], to }),
      leaveOut: (path) => this.pending.now({ path: [...path] }),
      rename: (path, name) => this.pending.now({ path: [...path], rename: name }),
      flush: () => this.pending.flush(),
      openText: (place) => host.openText(place),
      browse: (field) => host.browse(field),
      focus: (key) => this.node.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus(),
      openBase: () => host.openBase(),
      newExperiment: () => host.newExperiment(),
      plan: () => this.#plan,
    };
    this.#header = header({
      ...host,
      goTo: (part) => this.#goTo(part),
      showProblem: () => this.#showProblem(),
      rename: (name) => this.pending.later({ path: ['name'], to: name }),
      flush: () => this.pending.flush(),
    });
    this.#parts = this.#partsOf();
    this.node = element(
      'div',
      { class: 'form' },
      this.#header.node,
      element('div', { class: 'parts' }, ...this.#parts.map(({ node }) => node)),
    );
  }

  show(document: StudyDocument): void {
    this.#document = document;
    this.#update();
  }

  setQueued(queued: QueuedNoticeData): void {
    this.#queued = queued;
    this.#update();
  }

  showPlan(plan: StudyPlan): void {
    this.#plan = plan;
    this.#update();
  }

  #update(): void {
    this.#written = edited(this.#document.written ?? {}, this.pending.edits);
    const missing = missingIn(this.#written);
    // An empty base is something to choose, no fault.
    const problems = this.#problems(missing);
    for (const part of this.#parts) part.update(problems.filter((problem) => part.field === partOf(problem)));
    this.#header.update({
      name: plain(this.#written['name']),
      trusted: this.#document.trusted,
      plan: this.#plan,
      queued: this.#queued,
      missing,
      problems,
      unplaced: problems.filter((problem) => !this.#parts.some(({ field }) => field === partOf(problem))),
    });
  }

  #problems(missing: readonly Missing[]): StudyProblem[] {
    return (this.#plan?.problems ?? []).filter(({ field }) => field !== 'base' || !missing.includes('base'));
  }

  #showProblem(): void {
    const problems = this.#problems(missingIn(this.#written));
    const first = problems.find(isError) ?? problems[0];
    if (first !== undefined) this.#goTo(partOf(first));
  }

  /** Each with its structure, names and kinds but no values: while a person types a part stays as it is. */
  #partsOf(): Part[] {
    const editing = this.#editing;
    const names = (name: string): string[] => entriesOf(this.#written[name]).map(([one]) => one);
    // Pickers offer the fields of the base's kinds of endpoint.
    const kinds = (): unknown => {
      const { agent, environment } = this.#plan?.base?.endpoints ?? {};
      return [this.#plan === null, agent?.kind, environment?.kind];
    };
    const arms = (): unknown =>
      entriesOf(this.#written['arms']).map(([name, changes]) => [name, entriesOf(changes).map(([field]) => field)]);
    const measures = (): unknown => listOf(this.#written['measures']).map((one) => at(one, ['kind']));
    return [
      new Part(
        'base',
        () => baseSection(editing),
        () => [this.#plan?.experiments, missingIn(this.#written)],
      ),
      new Part(
        'arms',
        () => armsSection(editing),
        () => [arms(), kinds()],
      ),
      new Part(
        'grid',
        () => gridSection(editing),
        () => [names('grid'), kinds()],
      ),
      new Part(
        'seeds',
        () => seedsSection(editing),
        () => null,
      ),
      new Part(
        'budget',
        () => budgetSection(editing),
        () => budgetKindOf(this.#written['budget']),
      ),
      new Part('measures', () => measuresSection(editing), measures),
      new Part(
        'comparison',
        () => comparisonSection(editing),
        () => this.#plan?.arms,
      ),
      new Part(
        'stop',
        () => stopSection(editing),
        () => at(this.#written['stop'], ['rule']),
      ),
      new Part(
        'bySeed',
        () => bySeedSection(editing),
        () => [names('bySeed'), kinds()],
      ),
    ];
  }

  #goTo(part: string): void {
    if (part === 'name') {
      this.#header.focusName();
      return;
    }
    document.getElementById(`part-${part}`)?.scrollIntoView({ block: 'start' });
    document.getElementById(`title-${part}`)?.focus({ preventScroll: true });
  }
}

/** The part of the form that a problem belongs to: the base's own stand with the arms, whose changes meet them. */
function partOf({ field }: Pick<StudyProblem, 'field'>): string {
  const [name = ''] = field.split(/[.[]/);
  if (name === 'name') return 'name';
  return known.has(name) && name !== 'version' ? name : 'arms';
}

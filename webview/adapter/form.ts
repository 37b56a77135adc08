/** The file as a form. */
import { fieldName, type Path } from '../../src/shared/experiment/text/jsonText.ts';
import { at, isObject } from '../../src/shared/experiment/resolve.ts';
import type { AdapterDataView, AdapterDocument, AdapterEdit } from '../../src/features/adapter/contract.ts';
import { defined } from '../../src/shared/defined.ts';
import { rebuilt } from '../lib/components/rebuilt.ts';
import { element } from '../lib/element.ts';
import { Pending } from '../lib/pending.ts';
import { dataSection } from './dataSection.ts';
import { kindSection } from './kindSection.ts';
import { recipeSection, recipeShape } from './recipeSection.ts';
import { generalSection, taskSection } from './sections.ts';
import type { Editing, Section } from './section.ts';

export interface FormHost {
  send(edits: readonly AdapterEdit[]): Promise<void>;
  openText(at: { line: number; column: number } | null): void;
  browse(): void;
}

export class Form {
  readonly node = element('div', { class: 'form' });
  readonly pending: Pending<AdapterEdit>;
  readonly #editing: Editing;
  #document: AdapterDocument | null = null;
  #data: AdapterDataView | null = null;
  #sections: readonly Section[] = [];
  /** The structure that the form was built for: another one needs another form. */
  #shape = '';

  constructor(host: FormHost) {
    this.pending = new Pending<AdapterEdit>({ send: (edits) => host.send(edits), changed: () => this.#update() });
    this.#editing = {
      later: (path, to) => this.pending.later(editOf(path, to)),
      now: (path, to) => this.pending.now(editOf(path, to)),
      leaveOut: (path) => this.pending.now({ path: [...path] }),
      flush: () => this.pending.flush(),
      browse: () => host.browse(),
      asText: () => host.openText(null),
      value: (path) => this.#value(path),
    };
  }

  /** Names of the splits, in the file's order. */
  get splits(): readonly string[] {
    const splits = this.#value(['data', 'splits']);
    return isObject(splits) ? Object.keys(splits) : [];
  }

  /** Names of joined files. */
  get joins(): readonly string[] {
    const joins = this.#value(['data', 'join']);
    return isObject(joins) ? Object.keys(joins) : [];
  }

  show(document: AdapterDocument): void {
    this.#document = document;
    this.#update();
  }

  showData(data: AdapterDataView): void {
    this.#data = data;
    for (const section of this.#sections) section.showData?.(data);
  }

  #value(path: Path): unknown {
    const name = fieldName(path);
    const own = this.pending.edits.findLast((edit) => fieldName(edit.path) === name);
    return own === undefined ? at(this.#document?.written, path) : own.to;
  }

  #update(): void {
    if (this.#document === null) return;
    const shape = this.#shapeNow();
    const settle = shape === this.#shape ? () => undefined : this.#build();
    this.#shape = shape;
    for (const { rows, paths } of this.#sections) {
      for (const [i, row] of rows.entries()) {
        row.show(this.#value(paths[i] ?? []));
        row.complain(this.#document.problems.filter(({ field }) => field === row.field));
      }
    }
    settle();
  }

  #shapeNow(): string {
    const value = (...path: Path): unknown => this.#value(path);
    const prompt = value('task', 'prompt');
    const turns = Array.isArray(prompt) ? prompt.map((turn) => isObject(turn) && 'messages' in turn) : [];
    const told = ['evaluation', 'verbatim'].map((name) => {
      const given = value('task', name);
      return isObject(given) ? Object.keys(given) : null;
    });
    const more = [value('task', 'tools') === undefined, ...told];
    const recipe = recipeShape(value);
    return JSON.stringify([
      value('answer', 'kind'),
      value('scorer', 'kind'),
      turns,
      more,
      this.splits,
      this.joins,
      recipe,
    ]);
  }

  /** @returns to be called when the rows show their values */
  #build(): () => void {
    this.#sections = [
      generalSection(this.#editing),
      dataSection(this.#editing, this.splits, this.joins),
      taskSection(this.#editing),
      kindSection('answer', this.#editing),
      kindSection('scorer', this.#editing),
      recipeSection(this.#editing),
    ];
    return rebuilt(
      this.node,
      () => {
        this.node.replaceChildren(...this.#sections.map(({ node }) => node));
        if (this.#data !== null) this.showData(this.#data);
      },
      (before) => this.#fieldOf(before.dataset['field']),
    );
  }

  #fieldOf(field: string | undefined): HTMLElement | null {
    return field === undefined ? null : this.node.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  }
}

const editOf = (path: Path, to: unknown): AdapterEdit => ({ path: [...path], ...defined({ to }) });

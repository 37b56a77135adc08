/** The whole form: header, finder, groups of fields, and the drawing beside the curriculum. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import type { FormBranch, FormDocument, FormForecast, FormRun } from '../../src/features/experiment/contract.ts';
import type { SavedFile } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { BranchBanner, type BranchBannerHost } from './branchBanner.ts';
import { fieldRow, type FieldRow } from './fieldRow.ts';
import { Finder } from './finder.ts';
import { formModel } from './formModel.ts';
import { groups, headerFields, titleOf, type Group } from './groups.ts';
import { header, type Header } from './header.ts';
import type { KernelFigure } from './kernelFigure.ts';
import { Pending, type PendingOptions } from '../lib/pending.ts';
import { RunBanner, type BannerHost } from './runBanner.ts';

export interface FormHost extends Pick<PendingOptions, 'send'>, Omit<BannerHost & BranchBannerHost, 'goTo'> {
  openText(at: { line: number; column: number } | null): void;
  start(): void;
  check(): void;
  browse(field: FieldPath): void;
  save(file: SavedFile): void;
  /** The search changed: keep it for when the page is loaded again. */
  found(): void;
}

interface DrawnGroup {
  group: Group;
  node: HTMLElement;
  parts: readonly { node: HTMLElement; rows: readonly FieldRow[] }[];
}

/** The drawing and d3 come while the rows are made: a form can be filled in without. */
const drawing = import('./kernelFigure.ts');

export class Form {
  readonly node: HTMLElement;
  readonly pending: Pending;
  readonly finder: Finder;
  readonly #host: FormHost;
  readonly #header: Header;
  readonly #banner: RunBanner;
  readonly #branchBanner: BranchBanner;
  readonly #groups: readonly DrawnGroup[];
  readonly #nothing = element('p', { class: 'nothing', hidden: '' });
  #kernel: KernelFigure | null = null;
  #drawn: Experiment | null = null;
  #document: FormDocument;
  #run: FormRun | null = null;
  #branch: FormBranch | null = null;
  #forecast: FormForecast | null | undefined;

  constructor(host: FormHost, document: FormDocument) {
    this.#host = host;
    this.#document = document;
    this.pending = new Pending({ send: (edits) => host.send(edits), changed: () => this.#update() });
    const controls = {
      later: (edit: Parameters<Pending['later']>[0]) => this.pending.later(edit),
      now: (edit: Parameters<Pending['now']>[0]) => this.pending.now(edit),
      flush: () => this.pending.flush(),
      browse: (field: FieldPath) => host.browse(field),
      presetValue: (field: FieldPath) => this.#model().presetValue(field),
      value: (field: FieldPath) => this.#model().value(field),
    };
    this.#header = header({
      ...controls,
      start: () => host.start(),
      check: () => host.check(),
      openText: () => host.openText(null),
      showProblem: () => this.#showProblem(),
    });
    this.#banner = new RunBanner({ ...host, goTo: (field) => this.show(field) });
    this.#branchBanner = new BranchBanner({ ...host, goTo: (field) => this.show(field) });
    this.finder = new Finder({
      groups,
      find: () => {
        host.found();
        this.#update();
      },
      goTo: (group) => this.#goTo(group),
    });
    const rowHost = { ...controls, openText: (at: { line: number; column: number }) => host.openText(at) };
    this.#groups = groups.map((group) => {
      const parts = group.parts.map(({ title, fields }) => {
        const rows = fields.map((path) => fieldRow(path, rowHost));
        const heading = title === '' ? [] : [element('h3', {}, l10n.t(title))];
        return { rows, node: element('div', { class: 'part' }, ...heading, ...rows.map(({ node }) => node)) };
      });
      const body = element('div', { class: 'group-body' }, element('div', {}, ...parts.map(({ node }) => node)));
      const node = element(
        'section',
        { class: 'group', id: `group-${group.id}`, 'aria-labelledby': `title-${group.id}` },
        element('h2', { id: `title-${group.id}`, tabindex: '-1' }, titleOf(group)),
        element('p', { class: 'group-about' }, ...prose(l10n.t(group.about))),
        body,
      );
      return { group, node, parts };
    });
    this.node = element(
      'div',
      { class: 'form' },
      element('div', { class: 'top' }, this.#header.node, this.#branchBanner.node, this.#banner.node),
      this.finder.bar,
      element(
        'div',
        { class: 'body' },
        this.finder.contents,
        element('div', { class: 'groups' }, ...this.#groups.map(({ node }) => node), this.#nothing),
      ),
    );
    this.#followScrolling();
    // Elements that stick below the search need its height.
    const { bar } = this.finder;
    new ResizeObserver(() => this.node.style.setProperty('--top-height', `${bar.offsetHeight}px`)).observe(bar);
  }

  show(field: string): boolean {
    const row = this.#rows().find(({ path }) => path === field);
    if (row === undefined) {
      const inHeader = this.node.querySelector<HTMLElement>(
        `.head-${CSS.escape(field)} [role], .head-${CSS.escape(field)} vscode-text-field`,
      );
      inHeader?.focus();
      return inHeader !== null;
    }
    if (row.node.hidden) this.finder.clear();
    row.node.scrollIntoView({ block: 'center' });
    row.focus();
    return true;
  }

  setDocument(document: FormDocument): void {
    this.#document = document;
    this.#update();
  }

  setRun(run: FormRun | null): void {
    this.#run = run;
    this.#banner.update(run, this.#model().experiment);
  }

  setBranch(branch: FormBranch | null): void {
    this.#branch = branch;
    this.#header.ofBranch(branch === null ? null : branch.epoch);
    this.#header.update(this.#document, this.#model(), this.#forecast);
    this.#branchBanner.update(branch, this.#model().experiment, this.#document.trusted);
  }

  setRerun(rerun: { name: string } | null): void {
    this.#header.ofRerun(rerun?.name ?? null);
    this.#header.update(this.#document, this.#model(), this.#forecast);
  }

  setForecast(forecast: FormForecast | null): void {
    this.#forecast = forecast;
    this.#header.update(this.#document, this.#model(), forecast);
  }

  #rows(): FieldRow[] {
    return this.#groups.flatMap(({ parts }) => parts.flatMap(({ rows }) => rows));
  }

  #model() {
    const { written, problems } = this.#document;
    return formModel(written ?? {}, this.pending.edits, problems);
  }

  #update(): void {
    const model = this.#model();
    this.#header.update(this.#document, model, this.#forecast);
    this.#banner.update(this.#run, model.experiment);
    this.#branchBanner.update(this.#branch, model.experiment, this.#document.trusted);
    this.#drawKernel(model.drawn);
    const { text, onlyDiffering } = this.finder.found;
    let [shown, all] = [0, 0];
    for (const { group, node, parts } of this.#groups) {
      let [here, differing, wrong] = [0, 0, false];
      for (const part of parts) {
        let inPart = 0;
        for (const row of part.rows) {
          row.update(model);
          const exists = model.exists(row.path);
          const differs = exists && model.differs(row.path);
          // On its way to another value one that is typed may equal the preset's.
          const isTyped = row.node.contains(document.activeElement);
          row.node.hidden = !exists || !matches(row, text) || (onlyDiffering && !differs && !isTyped);
          if (!row.node.hidden) inPart += 1;
          if (differs) differing += 1;
          if (model.problemsOf(row.path).some(({ severity }) => severity === 'error')) wrong = true;
          if (exists) all += 1;
        }
        part.node.hidden = inPart === 0;
        here += inPart;
      }
      node.hidden = here === 0;
      this.finder.note(group.id, differing, wrong, here > 0);
      shown += here;
    }
    this.finder.count(shown, all);
    this.#nothing.hidden = shown > 0;
    this.#nothing.textContent =
      text === ''
        ? l10n.t('Every setting is the preset’s.')
        : l10n.t('No setting matches “{0}”. Press Escape in the search to clear it.', text);
  }

  #drawKernel(experiment: Experiment): void {
    const first = this.#drawn === null;
    this.#drawn = experiment;
    this.#kernel?.show(experiment);
    if (first) void drawing.then((code) => this.#addKernel(code, this.#drawn ?? experiment));
  }

  #addKernel(code: Awaited<typeof drawing>, experiment: Experiment): void {
    this.#kernel = new code.KernelFigure(experiment, (file) => this.#host.save(file));
    this.#groups
      .find(({ group }) => group.id === 'curriculum')
      ?.node.querySelector('.group-body')
      ?.append(this.#kernel.node);
  }

  #goTo({ id }: Group): void {
    const title = document.getElementById(`title-${id}`);
    document.getElementById(`group-${id}`)?.scrollIntoView({ block: 'start' });
    title?.focus({ preventScroll: true });
  }

  #showProblem(): void {
    const [first] = this.#document.problems;
    if (first === undefined) return;
    if (isFieldPath(first.field) && (headerFields.includes(first.field) || this.show(first.field))) return;
    this.#host.openText(first);
  }

  #followScrolling(): void {
    const seen = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) seen.add(target);
          else seen.delete(target);
        }
        const current =
          this.#groups.findLast(({ node }) => seen.has(node)) ?? this.#groups.find(({ node }) => !node.hidden);
        this.finder.mark(current?.group.id ?? null);
      },
      { rootMargin: '-70px 0px -75% 0px' },
    );
    for (const { node } of this.#groups) observer.observe(node);
  }
}

/** Every word of a search stands somewhere in the row. */
const matches = ({ text }: FieldRow, search: string): boolean =>
  search.split(/\s+/).every((word) => text.includes(word));

/** The whole form: header, finder, groups of fields, and the drawing beside the curriculum. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { isError } from '../../src/shared/experiment/problems/problem.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import type { FormBranch, FormDocument, FormBasis, FormRun } from '../../src/features/experiment/contract.ts';
import type { SavedFile } from '../lib/chartFrame.ts';
import type { QueuedNoticeData } from '../../src/shared/rpc/queuedNotice.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { BranchBanner, type BranchBannerHost } from './branchBanner.ts';
import { Finder } from './finder.ts';
import { fieldAround, formModel, type FormModel } from './formModel.ts';
import { GroupView } from './groupView.ts';
import { groups, type Group } from './groups.ts';
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
  queueAnew(): void;
  /** The search or a fold changed: keep it for when the page is loaded again. */
  found(): void;
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
  readonly #groups: readonly GroupView[];
  readonly #nothing = element('p', { class: 'nothing', hidden: '' });
  #kernel: KernelFigure | null = null;
  #drawn: Experiment | null = null;
  #document: FormDocument;
  #runs: { run: FormRun | null; branch: FormBranch | null; rerun: { name: string } | null } = {
    run: null,
    branch: null,
    rerun: null,
  };
  #basis: FormBasis | undefined;
  #queued: QueuedNoticeData = null;

  /** @param open ids of groups whose fold is open */
  constructor(host: FormHost, document: FormDocument, open: readonly string[]) {
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
      openText: (at) => host.openText(at),
      showProblem: () => this.#showProblem(),
      queueAnew: () => host.queueAnew(),
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
    this.#groups = groups.map((group) => new GroupView(group, rowHost, open.includes(group.id), () => host.found()));
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
    const view = this.#groups.find(({ rows }) => rows.some(({ path }) => path === field));
    const row = view?.rows.find(({ path }) => path === field);
    if (view === undefined || row === undefined) {
      const inHeader = this.node.querySelector<HTMLElement>(
        `.head-${CSS.escape(field)} [role], .head-${CSS.escape(field)} vscode-text-field`,
      );
      inHeader?.focus();
      return inHeader !== null;
    }
    if (row.node.hidden) this.finder.clear();
    view.reveal(row);
    row.node.scrollIntoView({ block: 'center' });
    row.focus();
    return true;
  }

  /** Groups whose fold is open. */
  get open(): string[] {
    return this.#groups.filter(({ isOpen }) => isOpen).map(({ group }) => group.id);
  }

  setDocument(document: FormDocument): void {
    this.#document = document;
    this.#update();
  }

  setRun(run: FormRun | null): void {
    this.#runs = { ...this.#runs, run };
    this.#updateTop(this.#model());
  }

  setBranch(branch: FormBranch | null): void {
    this.#runs = { ...this.#runs, branch };
    this.#updateTop(this.#model());
  }

  setRerun(rerun: { name: string } | null): void {
    this.#runs = { ...this.#runs, rerun };
    this.#updateTop(this.#model());
  }

  setQueued(queued: QueuedNoticeData): void {
    this.#queued = queued;
    this.#updateTop(this.#model());
  }

  setBasis(basis: FormBasis): void {
    this.#basis = basis;
    this.#updateTop(this.#model());
  }

  #model() {
    const { written, problems } = this.#document;
    return formModel(written ?? {}, this.pending.edits, problems);
  }

  #updateTop(model: FormModel): void {
    const { run, branch } = this.#runs;
    this.#header.update(this.#document, model, { ...this.#runs, basis: this.#basis, queued: this.#queued });
    this.#banner.update(run, model.experiment, branch !== null);
    this.#branchBanner.update(branch, model.experiment, this.#document.trusted);
  }

  #update(): void {
    const model = this.#model();
    this.#updateTop(model);
    this.#drawKernel(model.drawn);
    const { text } = this.finder.found;
    let [shown, all] = [0, 0];
    for (const view of this.#groups) {
      const counts = view.update(model, this.finder.found);
      this.finder.note(view.group.id, counts.differing, counts.hasError, counts.found > 0);
      shown += counts.found;
      all += counts.all;
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
    this.#groups.find(({ group }) => group.id === 'curriculum')?.addFigure(this.#kernel.node);
  }

  #goTo({ id }: Group): void {
    const title = document.getElementById(`title-${id}`);
    document.getElementById(`group-${id}`)?.scrollIntoView({ block: 'start' });
    title?.focus({ preventScroll: true });
  }

  #showProblem(): void {
    const { problems } = this.#document;
    const first = problems.find(isError) ?? problems[0];
    if (first === undefined) return;
    const path = this.#model().unplaced.includes(first) ? null : fieldAround(first.field);
    if (path === null || !this.show(path)) this.#host.openText(first);
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

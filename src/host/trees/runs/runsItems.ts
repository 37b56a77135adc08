/** How the nodes of the Runs tree look and are read aloud. */
import * as vscode from 'vscode';
import { outlayOf } from '../../../runs/facts/spending.ts';
import { aheadText } from '../../feedback/words.ts';
import type { QueuePlace } from '../../runs/queuePlace.ts';
import type { KnownRun, RunQueue, RunService } from '../../runs/runs.ts';
import { measured } from '../../../shared/text/figures/intervals.ts';
import { silenceText } from '../../../shared/text/silence.ts';
import { rowMoment } from '../../../shared/text/figures/moments.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { groupIcons, icons, queueIcon, runIcon } from '../icons.ts';
import type { EpochFacts } from '../../../runs/facts/runFacts.ts';
import { treeItem } from '../treeItem.ts';
import { changeText, endingWord, groupWord, inBand, parts, phaseWord, spokenRate, stateWord } from '../words.ts';
import { groupOf } from './familyGroups.ts';
import { placeWord } from './queueWords.ts';
import { studyItem } from './roots/studyItem.ts';
import { familyItem, mixedItem, moreItem, noteItem, rejectedItem, taskItem, traceItem } from './leafItems.ts';
import { familiesOf, figuresOf } from './domainFigures.ts';
import type { AsideNode, DomainNode, EpochNode, GroupNode, ProblemNode, RunNode, RunsNode } from './node.ts';
import type { RunsModel } from './runsModel.ts';

export class RunsItems {
  readonly #model: RunsModel;
  readonly #service: Pick<RunService, 'active'>;
  readonly #queue: Pick<RunQueue, 'place' | 'studies'> | null;

  constructor(
    model: RunsModel,
    service: Pick<RunService, 'active'>,
    queue: Pick<RunQueue, 'place' | 'studies'> | null,
  ) {
    this.#model = model;
    this.#service = service;
    this.#queue = queue;
  }

  async item(node: RunsNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'study':
        return studyItem(node, this.#model.studySight(node), {
          place: this.#model.studyPlace(node),
          changed: this.#queue?.studies.named(node.root, node.study) ?? null,
        });
      case 'run':
        return this.#run(node);
      case 'problem':
        return this.#problem(node);
      case 'epoch':
        return this.#epoch(node);
      case 'domain':
        return this.#domain(node);
      case 'group':
        return this.#group(node);
      case 'aside':
        return this.#aside(node);
      case 'mixed':
        return mixedItem(node, await this.#model.marksOn(node));
      case 'rejected':
        return rejectedItem(node);
      case 'family':
        return familyItem(node);
      case 'task':
        return taskItem(node, await this.#model.marksOn(node));
      case 'trace':
        return traceItem(node, await this.#model.notesOn(node));
      case 'more':
        return moreItem(node);
      case 'note':
        return noteItem(node);
    }
  }

  #run({ id, run }: RunNode): vscode.TreeItem {
    const known = this.#model.run(run);
    if (known === undefined) return gone(id);
    const { head } = known;
    const { summary } = head;
    const epoch = vscode.l10n.t('epoch {0}/{1}', count(head.current), count(head.epochs));
    const rateText = summary && measured(summary.successRate);
    const started = rowMoment(head.startedAt);
    const place = this.#queue?.place(run);
    const active = this.#service.active.get(run);
    const queued =
      place === undefined ? null : placeWord({ ...place, ...(active && { secondsLeft: active.secondsLeft }) });
    const silent = silenceText(active?.silences ?? []);
    const ahead = place === undefined ? this.#ahead(run) : [];
    return treeItem({
      id,
      label: head.name,
      // A narrow view cuts the end off.
      description: parts(
        place?.state === 'waiting' ? queued : null,
        endingWord(head),
        silent,
        head.state === 'finished' ? rateText : epoch,
        place?.state === 'waiting' ? null : queued,
        ...ahead,
        known.writer === 'elsewhere' ? vscode.l10n.t('written elsewhere') : null,
        head.state === 'finished' ? epoch : rateText,
        summary && inBand(summary.inBand),
        head.imported === null ? null : vscode.l10n.t('imported from {0}', head.imported),
        started,
      ),
      icon: place?.state === 'waiting' ? queueIcon(place) : runIcon(head),
      spoken: [
        vscode.l10n.t('Run {0}', head.name),
        place?.state === 'waiting' ? vscode.l10n.t('queued') : stateWord(head.state),
        queued,
        endingWord(head),
        silent,
        epoch,
        ...ahead,
        summary && spokenRate(summary.successRate),
        summary && inBand(summary.inBand),
        head.imported === null ? null : vscode.l10n.t('imported from {0}', head.imported),
        vscode.l10n.t('started {0}', started),
      ],
      context: contextOf(known, place),
      children: true,
    });
  }

  /** Of a run of this window. */
  #ahead(run: string): string[] {
    const active = this.#service.active.get(run);
    if (active === undefined) return [];
    const { state, experiment, secondsLeft } = active;
    return aheadText(secondsLeft, outlayOf(state, experiment));
  }

  #problem({ id, run }: ProblemNode): vscode.TreeItem {
    const error = this.#model.problem(run);
    if (error === undefined) return gone(id);
    const label = run.split(/[\\/]/).at(-1) ?? run;
    return treeItem({
      id,
      label,
      description: vscode.l10n.t('cannot be read'),
      icon: icons.problem,
      spoken: [vscode.l10n.t('{0} cannot be read as a run', label), error.message],
      context: 'problem',
    });
  }

  async #epoch(node: EpochNode): Promise<vscode.TreeItem> {
    const facts = await this.#model.factsOf(node);
    if (facts === undefined) return gone(node.id);
    const { scored, families } = facts;
    const label = vscode.l10n.t('Epoch {0}', count(node.epoch));
    const going = this.#going(node, facts);
    const changes = facts.changes.map(changeText).join(', ');
    const kept = scored && vscode.l10n.t('{0}/{1} families kept', count(scored.familiesKept), count(families));
    return treeItem({
      id: node.id,
      label,
      description: parts(going, scored && measured(scored.successRate), changes, scored && inBand(scored.inBand), kept),
      icon: this.#epochIcon(node, facts),
      spoken: [
        label,
        going,
        scored && spokenRate(scored.successRate),
        scored && inBand(scored.inBand),
        kept,
        changes === '' ? null : vscode.l10n.t('settings changed: {0}', changes),
      ],
      context: facts.summary === null ? 'epoch.open' : 'epoch.finished',
      children: scored !== null,
    });
  }

  /** The current phase of an unfinished epoch; null for a finished one. */
  #going({ run }: EpochNode, facts: EpochFacts): string | null {
    if (facts.summary !== null) return null;
    const phases = this.#service.active.get(run)?.phases.filter(({ epoch }) => epoch === facts.epoch) ?? [];
    if (phases.length > 0) return phases.map(phaseWord).join(', ');
    const so = doneSoFar(facts);
    return this.#model.run(run)?.head.state === 'running' ? so : vscode.l10n.t('unfinished: {0}', so);
  }

  #epochIcon({ run }: EpochNode, { summary, scored, curriculum }: EpochFacts): vscode.ThemeIcon {
    if (summary === null && this.#model.run(run)?.head.state === 'running') return icons.working;
    if (scored === null) return icons.unfinished;
    return groupIcons[groupOf(scored.successRate.p, curriculum)];
  }

  async #domain(node: DomainNode): Promise<vscode.TreeItem> {
    const facts = await this.#model.factsOf(node);
    if (facts === undefined) return gone(node.id);
    const { scored } = figuresOf(facts, node);
    const families = familiesOf(facts, node);
    const kept = scored && vscode.l10n.t('{0}/{1} families kept', count(scored.familiesKept), count(families));
    return treeItem({
      id: node.id,
      label: node.domain,
      description: parts(scored && measured(scored.successRate), scored && inBand(scored.inBand), kept),
      icon: scored === null ? icons.unfinished : groupIcons[groupOf(scored.successRate.p, facts.curriculum)],
      spoken: [
        vscode.l10n.t('Domain {0}', node.domain),
        scored && spokenRate(scored.successRate),
        scored && inBand(scored.inBand),
        kept,
      ],
      context: 'domain',
      children: true,
    });
  }

  async #group(node: GroupNode): Promise<vscode.TreeItem> {
    const { length } = await this.#model.familiesIn(node);
    return treeItem({
      id: node.id,
      label: groupWord(node.group),
      description: count(length),
      icon: groupIcons[node.group],
      spoken: [
        groupWord(node.group),
        length === 1 ? vscode.l10n.t('1 family') : vscode.l10n.t('{0} families', count(length)),
      ],
      context: 'group',
      children: length > 0,
    });
  }

  async #aside(node: AsideNode): Promise<vscode.TreeItem> {
    const { generated, scored } = figuresOf(await this.#model.factsOf(node), node);
    const rejected = Object.values(generated?.rejected ?? {}).reduce((sum, number) => sum + number, 0);
    const mixed = node.aside === 'mixed';
    const label = mixed ? vscode.l10n.t('Base tasks in the batch') : vscode.l10n.t('Rejected texts');
    const measuredBase = scored?.baseSuccessRate;
    const description = mixed ? (measuredBase === undefined ? '' : measured(measuredBase)) : count(rejected);
    return treeItem({
      id: node.id,
      label,
      description,
      icon: mixed ? icons.mixed : icons.rejected,
      spoken: [label, mixed && measuredBase !== undefined ? spokenRate(measuredBase) : description],
      context: 'aside',
      children: true,
    });
  }
}

/** `run.running.here`: the context value for menus. */
function contextOf({ head, writer }: KnownRun, place: QueuePlace | undefined): string {
  if (place?.state !== 'waiting') return `run.${head.state}.${writer ?? 'none'}`;
  return `run.queued.${place.wait?.kind === 'delay' ? place.wait.delay : 'none'}`;
}

/** Drawn between its going and the tree hearing of it. */
const gone = (id: string): vscode.TreeItem =>
  treeItem({
    id,
    label: vscode.l10n.t('(removed)'),
    icon: icons.note,
    spoken: [vscode.l10n.t('removed')],
    context: 'gone',
  });

function doneSoFar({ scored, generated, pools }: EpochFacts): string {
  if (pools !== null) return vscode.l10n.t('updated');
  if (scored !== null) return vscode.l10n.t('scored');
  return generated === null ? vscode.l10n.t('begun') : vscode.l10n.t('{0} tasks generated', count(generated.accepted));
}

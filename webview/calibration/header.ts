/** The run's identity and state, with the buttons that steer it and the selected epoch. */
import type { CalibrationFacts, CalibrationProgress } from '../../src/features/calibration/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { DomainChoice } from '../lib/domainChoice.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { Scrubber } from './scrubber.ts';
import { progressText, stateWord } from './words.ts';

const actions = ['pause', 'pauseNow', 'resume', 'stop', 'branch'] as const;
export type Steer = (typeof actions)[number];

/** More than the word on the button has room for. */
const steerLabel = (action: Steer): string =>
  ({
    pause: l10n.t('Pause at phase boundary'),
    pauseNow: l10n.t('Pause now'),
    resume: l10n.t('Resume'),
    stop: l10n.t('Stop'),
    branch: l10n.t('Branch from the shown epoch'),
  })[action];

const stateIcons: Record<CalibrationFacts['state'], string> = {
  running: 'record',
  paused: 'debug-pause',
  finished: 'pass',
  failed: 'error',
  stopped: 'debug-stop',
  interrupted: 'warning',
};

export class Header {
  readonly node: HTMLElement;
  readonly scrubber: Scrubber;
  readonly domains: DomainChoice;
  readonly #name = element('h1');
  readonly #icon = element('span', { 'aria-hidden': 'true' });
  readonly #state = element('span', { class: 'state-word' });
  readonly #epoch = element('span', { class: 'quiet' });
  readonly #facts = element('span', { class: 'quiet facts' });
  readonly #now = element('span', { class: 'now quiet' });
  readonly #bar = element('div', { class: 'run-bar-fill' });
  readonly #buttons: Record<Steer, HTMLButtonElement>;

  constructor(
    steer: (action: Steer) => void,
    onEpoch: (epoch: number | null) => void,
    onDomain: (domain: string | null) => void,
  ) {
    const button = (icon: string, text: string, action: Steer): HTMLButtonElement => {
      const label = steerLabel(action);
      const made = element(
        'button',
        { type: 'button', class: 'button', title: label, 'aria-label': label },
        element('span', { class: `codicon codicon-${icon}`, 'aria-hidden': 'true' }),
        text,
      );
      made.addEventListener('click', () => steer(action));
      return made;
    };
    this.#buttons = {
      pause: button('debug-pause', l10n.t('Pause'), 'pause'),
      pauseNow: button('debug-pause', l10n.t('Pause now'), 'pauseNow'),
      resume: button('debug-continue', l10n.t('Resume'), 'resume'),
      stop: button('debug-stop', l10n.t('Stop'), 'stop'),
      branch: button('git-branch', l10n.t('Branch'), 'branch'),
    };
    this.scrubber = new Scrubber(onEpoch);
    this.domains = new DomainChoice(onDomain);
    const { pause, pauseNow, resume, stop, branch } = this.#buttons;
    this.node = element(
      'header',
      { class: 'page-header' },
      element(
        'div',
        { class: 'title-row' },
        this.#name,
        element('span', { class: 'state', role: 'status' }, this.#icon, this.#state, this.#epoch),
        this.#facts,
        element(
          'div',
          { class: 'steer', role: 'toolbar', 'aria-label': l10n.t('Steer the run') },
          pause,
          pauseNow,
          resume,
          stop,
          branch,
        ),
      ),
      element('div', { class: 'epoch-row' }, this.scrubber.node, this.domains.node, this.#now),
      element('div', { class: 'run-bar', 'aria-hidden': 'true' }, this.#bar),
    );
  }

  update(facts: CalibrationFacts, progress: CalibrationProgress, finishedEpochs: number): void {
    this.#name.textContent = facts.name;
    const live = facts.state === 'running';
    this.#icon.className = `codicon codicon-${stateIcons[facts.state]} state-${facts.state}`;
    setText(this.#state, progress.pausing === 'no' ? stateWord(facts.state) : l10n.t('pausing'));
    setText(this.#epoch, l10n.t('epoch {0}/{1}', count(facts.epoch), count(facts.epochsPlanned)));
    const elsewhere = live && facts.writer === 'elsewhere' ? [l10n.t('in another process')] : [];
    setText(this.#facts, [facts.mode, l10n.t('seed {0}', facts.seed), facts.preset, ...elsewhere].join(' · '));
    setText(this.#now, live ? progressText(progress) : (facts.ending ?? ''));
    this.#bar.style.width = `${(100 * finishedEpochs) / Math.max(1, facts.epochsPlanned)}%`;
    this.#showButtons(facts, progress);
  }

  #showButtons({ state, writer, trusted }: CalibrationFacts, { pausing }: CalibrationProgress): void {
    const { pause, pauseNow, resume, stop } = this.#buttons;
    const live = state === 'running';
    const resumable = state === 'paused' || state === 'interrupted' || state === 'failed' || state === 'stopped';
    pause.hidden = !live || pausing !== 'no';
    pauseNow.hidden = !live || pausing !== 'boundary' || writer !== 'here';
    resume.hidden = !resumable;
    stop.hidden = !live && state !== 'paused' && state !== 'interrupted';
    for (const action of actions) {
      const button = this.#buttons[action];
      button.disabled = !trusted;
      button.title = trusted ? steerLabel(action) : l10n.t('Trust this folder to steer its runs.');
    }
  }
}

/** Writes only differences: a screen reader announces every change of a status. */
function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

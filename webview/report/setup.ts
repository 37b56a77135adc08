/** Settings, versions, how to read the report, and its omissions. */
import type { SettingRow } from '../../src/shared/report/data.ts';
import { element } from '../lib/element.ts';
import { prose } from '../lib/symbols.ts';
import type { Context } from './context.ts';
import { scrollable, table } from './figure.ts';
import { section } from './section.ts';
import { reportMoment } from '../../src/shared/text/figures/moments.ts';

export function setupSection({ data }: Context): HTMLElement {
  const changed = data.settings.filter(({ preset }) => preset !== null);
  const intro =
    changed.length === 0
      ? `Every setting is that of the preset ${data.run.preset}.`
      : `${changed.length} of ${data.settings.length} settings differ from the preset ${data.run.preset}.`;
  const differing =
    changed.length === 0
      ? []
      : [
          scrollable(
            'settings that differ from the preset',
            table({
              columns: ['Setting', 'This run', 'Preset', 'Meaning'],
              rows: () => changed.map(({ path, value, preset, meaning }) => [path, value, preset ?? '', meaning]),
            }),
          ),
        ];
  return section(
    'setup',
    'Settings and versions',
    element('p', { class: 'reading' }, intro),
    ...differing,
    allSettings(data.settings),
    versions(data),
  );
}

function allSettings(settings: readonly SettingRow[]): HTMLElement {
  const details = element('details', { class: 'twin' }, element('summary', {}, 'All settings'));
  const rows = (): string[][] =>
    settings.map(({ path, value, preset, meaning }) => [
      preset === null ? path : `${path} ≠`,
      value,
      preset ?? 'the same',
      meaning,
    ]);
  details.addEventListener('toggle', () => {
    if (details.open && details.querySelector('table') === null) {
      details.append(
        scrollable('all settings', table({ columns: ['Setting', 'This run', 'Preset', 'Meaning'], rows })),
      );
    }
  });
  return details;
}

function versions({ versions: list, run }: Context['data']): HTMLElement {
  const facts: [string, string][] = [
    ['run', run.id],
    ...(run.parent === null ? [] : [['branched from', run.parent] satisfies [string, string]]),
    ...list.map(({ name, value }): [string, string] => [name, value]),
  ];
  return element(
    'dl',
    { class: 'facts facts-small' },
    ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

const glossary: [string, string][] = [
  [
    'p̂',
    'Success rate: solved attempts over all judged attempts of a family. Success is a yes or no, never a shaped score.',
  ],
  [
    'interval',
    '95 %. Attempts at one task agree and tasks of one family resemble each other, so Wilson’s interval is taken on the independent attempts that they are worth. For differences on the same tasks: the interval for paired proportions (Bonett and Price).',
  ],
  ['family', 'All variations that the environment wrote from one seed task in one epoch.'],
  ['band', '|p̂ − α| ≤ k_min. The difficulty filter keeps families inside it for the environment’s update.'],
  ['R_env', 'Reward of the environment, exp(−β(p̂ − α)²): 1 when the agent solves exactly a share α of its attempts.'],
  ['weight', 'Share of a family in the environment’s update, proportional to exp(λ R_env) over what the filter kept.'],
  ['KL', 'How far a policy is from another, in nats per sampled token.'],
  ['dotted line', 'A vertical line marks the start of an epoch in which a setting changed.'],
  ['gold', 'The reference answer that an attempt is compared with.'],
];

export function notesSection({ data }: Context): HTMLElement {
  const made = reportMoment(data.madeAt);
  const sampling =
    data.thinned.length === 0 ? ['Every epoch and every family of the run is drawn.'] : [...data.thinned];
  return section(
    'notes',
    'How to read this',
    element(
      'dl',
      { class: 'glossary' },
      ...glossary.flatMap(([term, text]) => [element('dt', {}, ...prose(term)), element('dd', {}, ...prose(text))]),
    ),
    element(
      'p',
      { class: 'quiet' },
      `${sampling.join(' ')} Samples are chosen evenly along p̂ from the first, the middle and the last epoch. ` +
        `Made on ${made} from the run folder alone; this file needs no network.`,
    ),
  );
}

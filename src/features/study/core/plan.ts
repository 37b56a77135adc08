/** From a study and its base to every run that it asks for, or to everything that is wrong with them. */
import * as l10n from '@vscode/l10n';
import { append } from '../../../shared/append.ts';
import { fieldAt } from '../../../shared/experiment/fields.ts';
import { parseWith } from '../../../shared/experiment/parse.ts';
import type { Place, Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Override } from '../../../shared/experiment/overrides.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { budgetKinds, type Budget, type Study } from '../contract/file.ts';
import { budgetOverrides, epochsFor, unequalBudgets } from './budget.ts';
import type { Arm, StudyPlaces } from './arm.ts';
import { otherUnit, tooFewSeeds, unevenWindows, withoutValue } from './canShow.ts';
import { limitWarnings } from './shortRuns.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

/** More are a mistake, or a study for several files. */
const mostRuns = 10_000;

interface Settings {
  experiment: Experiment;
  /** Where a field's value stands: in the study, or in its base. */
  placeOf: (field: string) => Place;
}

/** One run of an arm. */
export interface Member extends Settings {
  /** Telling, and unique in its study: `α 0.4 · seed 3`. */
  name: string;
  arm: string;
  seed: number;
}

export interface Plan {
  arms: readonly Arm[];
  /** Seed by seed, so that a study that ends early has whole pairs. */
  members: readonly Member[];
  budget: Budget;
  warnings: Problem[];
}

/** The text of the base and the name that problems call it by. */
export interface BaseText {
  text: string;
  file: string;
}

/** Fields that the study sets itself, and their source. */
const taken: Readonly<Record<string, () => string>> = {
  name: () => l10n.t('the arm’s and the seed’s name'),
  seed: () => '"seeds"',
  epochs: () => '"budget"',
  budget: () => '"budget"',
  earlyStop: () => l10n.t('"budget": a run that stops early has another budget'),
};

const takenBy = (field: string): string | undefined => taken[field.split('.')[0] ?? '']?.();

export function planStudy(study: Study, base: BaseText, places: StudyPlaces): { plan: Plan } | { problems: Problem[] } {
  const problems = [...refusedFields(study, places), ...repeatedSeeds(study, places), ...unevenlyBySeed(study, places)];
  const budget = budgetOf(study);
  if (budget === null) problems.push(wrongBudget(study, places));
  const runs = armCount(study) * study.seeds.length;
  if (runs > mostRuns) problems.push(tooMany(study, runs, places));
  if (problems.length > 0 || budget === null) return { problems };
  const arms: Arm[] = [];
  const warnings: Problem[] = [];
  const settings = new Map<string, Settings[]>();
  for (const { name, of, point, overrides } of armsOf(study, places)) {
    const fixed = [...overrides, ...budgetOverrides(budget, places.placeOfName(['budget']))];
    const alike = Object.keys(study.bySeed).length === 0;
    const own: Settings[] = [];
    for (const [i, seed] of study.seeds.entries()) {
      const [first] = own;
      if (alike && first !== undefined) {
        own.push({ ...first, experiment: { ...first.experiment, seed, name: memberName(name, seed) } });
        continue;
      }
      const varied = Object.entries(study.bySeed).map(([field, values]) =>
        given(field, values[i], places.placeOf(['bySeed', field, i])),
      );
      const place = places.placeOf(['seeds', i]);
      const parsed = parseWith(base.text, base.file, [...fixed, ...varied, given('seed', seed, place)]);
      if ('problems' in parsed) return { problems: parsed.problems.map((problem) => inArm(problem, name)) };
      // Each warning once: it concerns the base, or a common part of several arms.
      for (const warning of [...parsed.warnings, ...limitWarnings(parsed.experiment, parsed.placeOfField)]) {
        if (!warnings.some((known) => known.message === warning.message)) warnings.push(warning);
      }
      const epochs = epochsFor(budget, parsed.experiment);
      const experiment = { ...parsed.experiment, epochs, seed, name: memberName(name, seed) };
      own.push({ experiment, placeOf: parsed.placeOfField });
      if (i === 0) arms.push({ name, of, point, experiment: { ...parsed.experiment, epochs } });
    }
    settings.set(name, own);
  }
  const wrong = [
    ...sameTwice(arms, places),
    ...unequalBudgets(budget, arms, places),
    ...unknownReference(study, arms, places),
  ];
  if (wrong.length > 0) return { problems: wrong };
  for (const warning of arms.flatMap((arm) => withoutValue(study, arm, places)))
    warnings.push({ ...warning, severity: 'warning' });
  append(warnings, tooFewSeeds(study, arms.length, places));
  append(warnings, unevenWindows(study, arms, budget, places));
  append(warnings, otherUnit(study, places));
  const members = study.seeds.flatMap((seed, i) =>
    arms.flatMap(({ name }) => {
      const own = settings.get(name)?.[i];
      return own === undefined ? [] : [{ name: memberName(name, seed), arm: name, seed, ...own }];
    }),
  );
  return { plan: { arms, members, budget, warnings } };
}

const memberName = (arm: string, seed: number): string => `${arm} · seed ${seed}`;

/** The budget that the file names; null where it names none or several. */
function budgetOf({ budget }: Study): Budget | null {
  const named = budgetKinds.flatMap((kind) => {
    const amount = budget[kind];
    return amount === undefined ? [] : [{ kind, amount }];
  });
  const [one] = named;
  return named.length === 1 && one !== undefined ? one : null;
}

const armCount = ({ arms, grid }: Study): number =>
  Object.values(grid).reduce((product, values) => product * values.length, Math.max(1, Object.keys(arms).length));

interface NamedChanges {
  name: string;
  of: string;
  point: Study['arms'][string];
  overrides: Override[];
}

const given = (field: string, value: unknown, place: Place): Override => ({
  path: field.split('.'),
  value,
  text: `${field}=${JSON.stringify(value)}`,
  place,
});

/** Objects of JavaScript put names that are whole numbers first; the first arm of the file is what others are compared with. */
function inOrderWritten<T>(arms: [string, T][], { placeOfName }: StudyPlaces): [string, T][] {
  return arms
    .map((arm) => ({ arm, place: placeOfName(['arms', arm[0]]) }))
    .toSorted((a, b) => a.place.line - b.place.line || a.place.column - b.place.column)
    .map(({ arm }) => arm);
}

/** Every arm with every combination of the grid, the last field of the grid changing first. */
function armsOf(study: Study, places: StudyPlaces): NamedChanges[] {
  const named = inOrderWritten(Object.entries(study.arms), places);
  const written: [string | null, Readonly<Record<string, unknown>>][] = named.length === 0 ? [[null, {}]] : named;
  const axes = Object.entries(study.grid);
  return written.flatMap(([arm, set]) => {
    const own = Object.entries(set).map(([field, value]) =>
      given(field, value, places.placeOf(['arms', arm ?? '', field])),
    );
    let points: { point: Study['arms'][string]; overrides: Override[]; words: string[] }[] = [
      { point: {}, overrides: [], words: [] },
    ];
    for (const [field, values] of axes) {
      points = points.flatMap(({ point, overrides, words }) =>
        values.map((value, i) => ({
          point: { ...point, [field]: value },
          overrides: [...overrides, given(field, value, places.placeOf(['grid', field, i]))],
          words: [...words, field === 'method' ? shown(value) : `${shortName(field)} ${shown(value)}`],
        })),
      );
    }
    return points.map(({ point, overrides, words }) => ({
      name: [...(arm === null ? [] : [arm]), ...words].join(' · ') || study.name,
      of: arm ?? study.name,
      point,
      overrides: [...own, ...overrides],
    }));
  });
}

/** `α`, or the last part of a field's name. */
const shortName = (field: string): string => fieldAt(field)?.symbol ?? field.split('.').at(-1) ?? field;

/** A value as names of arms say it. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function refusedFields(study: Study, places: StudyPlaces): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: string[], message: string, remedy: string): void => {
    const field = path.map((part) => (part.includes('.') ? `"${part}"` : part)).join('.');
    problems.push({ ...places.placeOfName(path), field, message, remedy, severity: 'error' });
  };
  const check = (path: string[], field: string): void => {
    const by = takenBy(field);
    if (by !== undefined) {
      refuse(
        path,
        l10n.t('"{0}" cannot be changed by an arm: it is set by {1}.', field, by),
        l10n.t('Remove it here.'),
      );
    }
  };
  const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
  for (const [arm, set] of Object.entries(study.arms)) {
    const names = Object.keys(set);
    for (const [i, field] of names.entries()) {
      const path = ['arms', arm, field];
      check(path, field);
      const twice = names.slice(0, i).find((other) => overlaps(other, field));
      if (twice !== undefined) {
        const message = l10n.t(
          'The arm "{0}" sets "{1}" and "{2}", which contradict: one holds the other.',
          arm,
          twice,
          field,
        );
        refuse(path, message, l10n.t('Keep one of the two.'));
      }
      const axis = Object.keys(study.grid).find((other) => overlaps(other, field));
      if (axis !== undefined) {
        const message = l10n.t('The arm "{0}" sets "{1}", which the grid goes through as "{2}".', arm, field, axis);
        refuse(path, message, l10n.t('Remove it from the arm or from the grid.'));
      }
    }
  }
  for (const field of Object.keys(study.bySeed)) {
    check(['bySeed', field], field);
    const inArms = Object.values(study.arms).flatMap((set) => Object.keys(set));
    const twice = [...inArms, ...Object.keys(study.grid)].find((other) => overlaps(other, field));
    if (twice !== undefined) {
      const message = l10n.t(
        '"{0}" varies with the seed, and "{1}" with the arm: the one would hide the other.',
        field,
        twice,
      );
      refuse(['bySeed', field], message, l10n.t('Remove it from "bySeed", or from the arms and the grid.'));
    }
  }
  const axes = Object.keys(study.grid);
  for (const [i, field] of axes.entries()) {
    check(['grid', field], field);
    const twice = axes.slice(0, i).find((other) => overlaps(other, field));
    if (twice !== undefined) {
      const message = l10n.t('The grid goes through "{0}" and "{1}", of which one holds the other.', twice, field);
      refuse(['grid', field], message, l10n.t('Keep one of the two.'));
    }
  }
  return problems;
}

function repeatedSeeds({ seeds }: Study, places: StudyPlaces): Problem[] {
  return seeds.flatMap((seed, i) => {
    if (seeds.indexOf(seed) === i) return [];
    const message = l10n.t(
      'The seed {0} is given twice: the second run would repeat the first and count as evidence.',
      seed,
    );
    const place = places.placeOf(['seeds', i]);
    return [
      {
        ...place,
        field: `seeds[${i}]`,
        message,
        remedy: l10n.t('Keep one, or write another seed.'),
        severity: 'error',
      },
    ];
  });
}

function unevenlyBySeed({ bySeed, seeds }: Study, places: StudyPlaces): Problem[] {
  return Object.entries(bySeed).flatMap(([field, values]) => {
    if (values.length === seeds.length) return [];
    const place = places.placeOfName(['bySeed', field]);
    const message = l10n.t('"{0}" has {1} values for {2} seeds.', field, values.length, seeds.length);
    const remedy = l10n.t('Give each seed its value, in the order of "seeds"; a value may come again.');
    return [{ ...place, field: `bySeed."${field}"`, message, remedy, severity: 'error' }];
  });
}

function wrongBudget({ budget }: Study, places: StudyPlaces): Problem {
  const named = budgetKinds.filter((kind) => budget[kind] !== undefined);
  const message =
    named.length === 0
      ? l10n.t('The budget names nothing: runs with different budgets cannot be compared.')
      : l10n.t(
          'The budget names {0}, which cannot all be equal: an arm with longer answers has fewer rollouts for its tokens.',
          named.join(l10n.t(' and ')),
        );
  const remedy = l10n.t('Name one of {0}.', budgetKinds.join(', '));
  return { ...places.placeOfName(['budget']), field: 'budget', message, remedy, severity: 'error' };
}

function tooMany({ arms, grid, seeds }: Study, runs: number, places: StudyPlaces): Problem {
  const parts = [
    ...(Object.keys(arms).length > 0 ? [l10n.t('{0} arms', Object.keys(arms).length)] : []),
    ...Object.entries(grid).map(([field, values]) => l10n.t('{0} values of {1}', values.length, shortName(field))),
    l10n.t('{0} seeds', seeds.length),
  ];
  const message = l10n.t('{0} are {1} runs; a study has at most {2}.', parts.join(' × '), count(runs), count(mostRuns));
  const field = Object.keys(grid).length > 0 ? 'grid' : 'arms';
  const remedy = l10n.t('Write fewer values, or several studies that each ask one question.');
  return { ...places.placeOfName([field]), field, message, remedy, severity: 'error' };
}

/** The same experiment under two names would be compared with itself. */
function sameTwice(arms: readonly Arm[], places: StudyPlaces): Problem[] {
  const seen = new Map<string, string>();
  return arms.flatMap(({ name, of, experiment }) => {
    const text = JSON.stringify({ ...experiment, name: '' });
    const first = seen.get(text);
    if (first === undefined) {
      seen.set(text, name);
      return [];
    }
    const place = places.placeOfName(['arms', of]);
    const message = l10n.t(
      'The arms "{0}" and "{1}" are the same experiment: their difference would be nothing but chance.',
      first,
      name,
    );
    return [
      { ...place, field: `arms.${of}`, message, remedy: l10n.t('Remove one, or change something.'), severity: 'error' },
    ];
  });
}

function unknownReference({ comparison }: Study, arms: readonly Arm[], places: StudyPlaces): Problem[] {
  const { reference } = comparison;
  if (reference === null || arms.some(({ name }) => name === reference)) return [];
  const names = arms.slice(0, 8).map(({ name }) => `"${name}"`);
  const more = arms.length > names.length ? ', …' : '';
  const place = places.placeOf(['comparison', 'reference']);
  const message = l10n.t('There is no arm "{0}" to compare with.', reference);
  const remedy = l10n.t('The arms are {0}{1}.', names.join(', '), more);
  return [{ ...place, field: 'comparison.reference', message, remedy, severity: 'error' }];
}

/** A problem in the study has its own line; one in the base needs the name of the arm. */
export const inArm = (problem: Problem, arm: string): Problem => ({
  ...problem,
  message: l10n.t('In the arm "{0}": {1}', arm, problem.message),
});
